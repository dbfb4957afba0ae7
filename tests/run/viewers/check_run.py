# SPDX-License-Identifier: Apache-2.0
"""pvbatch check_run.py FILE [READER]: opens a run as a user would, or with a reader by name, and prints as JSON what
ParaView finds in each step."""
import json
import os
import sys

from paraview import servermanager
from paraview import simple as pv
from paraview.vtk.util.numpy_support import vtk_to_numpy


def opened(path, reader):
    if reader is None:
        return pv.OpenDataFile(path)
    key = "FileNames" if reader == "XDMFReader" else "FileName"
    return getattr(pv, reader)(**{key: [path]})


def data_sets(data):
    """The data sets of a composite one in order, by the names of the blocks above them. Xdmf3 loses these: what has
    elements is "atoms" then, all else "box"."""
    if data.IsA("vtkMultiPieceDataSet"):
        blocks = [("", data.GetPiece(n)) for n in range(data.GetNumberOfPieces())]
    elif data.IsA("vtkMultiBlockDataSet"):
        count = data.GetNumberOfBlocks()
        names = [data.GetMetaData(n).Get(data.NAME()) if data.HasMetaData(n) else "" for n in range(count)]
        blocks = [(names[n], data.GetBlock(n)) for n in range(count)]
    else:
        return [("atoms" if data.GetPointData().HasArray("element") else "box", data)]
    return [(name or inner, leaf) for name, block in blocks for inner, leaf in data_sets(block)]


def arrays_of(data):
    arrays = {}
    for n in range(data.GetPointData().GetNumberOfArrays()):
        array = data.GetPointData().GetAbstractArray(n)
        texts = array.IsA("vtkStringArray")
        values = [array.GetValue(i) for i in range(array.GetNumberOfValues())] if texts else vtk_to_numpy(array).tolist()
        arrays[array.GetName()] = values
    return arrays


def facts(data):
    lines = []
    for n in range(data.GetNumberOfCells()):
        cell = data.GetCell(n)
        if cell.GetNumberOfPoints() == 2:
            lines.append([cell.GetPointId(0), cell.GetPointId(1)])
    time = data.GetFieldData().GetArray("TimeValue")
    points = data.GetPoints()
    return {
        "points": vtk_to_numpy(points.GetData()).tolist() if points is not None else [],
        "lines": lines,
        "vertices": data.GetNumberOfCells() - len(lines),
        "arrays": arrays_of(data),
        "time": time.GetValue(0) if time else None,
    }


path, reader = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
run = opened(path, reader)
run.UpdatePipelineInformation()
steps = []
for time in list(run.TimestepValues):
    run.UpdatePipeline(time)
    steps.append({"time": time, "blocks": {name: facts(data) for name, data in data_sets(servermanager.Fetch(run))}})
print("FOUND " + json.dumps({"reader": run.GetXMLName(), "version": str(pv.GetParaViewVersion()), "steps": steps}))
