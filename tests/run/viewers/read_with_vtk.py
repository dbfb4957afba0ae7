# SPDX-License-Identifier: Apache-2.0
"""read_with_vtk.py FILE: prints as JSON what VTK's Python package, newer than that of ParaView, finds in a .vtp, .pvtp, .vti
or .vtkhdf, step by step."""
import json
import sys
from pathlib import Path

import vtk
from vtk.util.numpy_support import vtk_to_numpy


def facts(data):
    found = {"arrays": {}, "names": {}, "points": data.GetNumberOfPoints()}
    for n in range(data.GetPointData().GetNumberOfArrays()):
        array = data.GetPointData().GetAbstractArray(n)
        if array.IsA("vtkDataArray"):
            found["arrays"][array.GetName()] = vtk_to_numpy(array).tolist()
        else:
            found["names"][array.GetName()] = [array.GetValue(i) for i in range(array.GetNumberOfValues())]
    if data.IsA("vtkPolyData"):
        found["positions"] = vtk_to_numpy(data.GetPoints().GetData()).tolist()
        found["vertices"] = data.GetNumberOfVerts()
        lines = vtk_to_numpy(data.GetLines().GetConnectivityArray()).tolist()
        found["lines"] = [lines[n : n + 2] for n in range(0, len(lines), 2)]
    else:
        found.update(dimensions=data.GetDimensions(), spacing=data.GetSpacing(), origin=data.GetOrigin())
    return found


def steps(path):
    kinds = {".vtp": vtk.vtkXMLPolyDataReader, ".pvtp": vtk.vtkXMLPPolyDataReader, ".vti": vtk.vtkXMLImageDataReader, ".vtkhdf": vtk.vtkHDFReader}
    reader = kinds[Path(path).suffix]()
    reader.SetFileName(path)
    reader.UpdateInformation()
    count = reader.GetNumberOfSteps() if path.endswith(".vtkhdf") else 1
    for n in range(count):
        if path.endswith(".vtkhdf"):
            reader.SetStep(n)
        reader.Update()
        yield {**facts(reader.GetOutput()), "time": reader.GetTimeValue() if path.endswith(".vtkhdf") else None}


print(json.dumps({"version": vtk.vtkVersion().GetVTKVersion(), "steps": list(steps(sys.argv[1]))}))
