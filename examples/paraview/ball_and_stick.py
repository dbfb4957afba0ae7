# SPDX-License-Identifier: Apache-2.0
"""Shows a run of mdsim in ParaView: protein as balls and sticks coloured by residue, everything else by element, water
faint, the edges of the box, the time in ps.

As a macro:  Macros > Import new macro..., once. Then open RUN.pvd (or RUN.xdmf) with Apply, and press the new button.
As a script: pvbatch ball_and_stick.py RUN.pvd PICTURE.png [TIME]          one picture, of the last frame or that of TIME [ps]
             pvbatch ball_and_stick.py RUN.pvd FRAMES.png all             one for each frame: FRAMES.0000.png, ...
             paraview --script=ball_and_stick.py                          after setting RUN in the environment to the file
"""
import os
import sys

from paraview import simple as pv

PROTEIN, WATER = 1, 2  # values of the array `kind`
BALL, STICK = 0.3, 0.016  # share of the van der Waals radius; radius of a stick [nm]
BLUE_TO_RED = "Rainbow Uniform"
# Corey, Pauling and Koltun's colours of the commonest elements; others are pink.
ELEMENTS = {1: (0.95, 0.95, 0.95), 6: (0.4, 0.4, 0.4), 7: (0.2, 0.3, 1.0), 8: (1.0, 0.15, 0.1), 11: (0.67, 0.36, 0.95),
            12: (0.0, 0.6, 0.0), 15: (1.0, 0.5, 0.0), 16: (1.0, 0.8, 0.2), 17: (0.12, 0.9, 0.12), 19: (0.56, 0.25, 0.83),
            20: (0.24, 0.8, 0.1)}


def atoms_and_box(run):
    """The two blocks of a .pvd, by name. Those of an .xdmf, which some readers give no names, are told by their arrays;
    a .vtkhdf has atoms alone."""
    run.UpdatePipeline(run.TimestepValues[0] if len(run.TimestepValues) else 0.0)
    if not run.GetDataInformation().IsCompositeDataSet():
        return run, None
    if run.PointData.GetArray("box") is not None:
        return run, surface(with_values(run, "box", 1, 1))
    return tuple(
        surface(pv.ExtractBlock(Input=run, Selectors=[f"/Root/{name}"])) for name in ("atoms", "box")
    )


def with_values(data, array, lowest, highest):
    part = pv.Threshold(Input=data, Scalars=["POINTS", array], AllScalars=1)
    part.LowerThreshold, part.UpperThreshold, part.ThresholdMethod = lowest, highest, "Between"
    return part


def surface(data):
    """Points and lines of all blocks as one."""
    merged = pv.MergeBlocks(Input=data, OutputDataSetType="Unstructured Grid", MergePoints=0)
    return pv.ExtractSurface(Input=merged)


def of_kind(atoms, lowest, highest):
    """Atoms with kind from lowest to highest, with their bonds, as points and lines."""
    return surface(with_values(atoms, "kind", lowest, highest))


def colour(display, array):
    """By residue: all colours over the protein. By element: each its own."""
    pv.ColorBy(display, ("POINTS", array))
    table = pv.GetColorTransferFunction(array)
    if array == "element":
        table.InterpretValuesAsCategories = 1
        table.AnnotationsInitialized = 1
        table.Annotations = [text for z in ELEMENTS for text in (str(z), str(z))]
        table.IndexedColors = [value for rgb in ELEMENTS.values() for value in rgb]
        table.NanColor = [1.0, 0.5, 0.8]
    else:
        table.ApplyPreset(BLUE_TO_RED, True)
        display.RescaleTransferFunctionToDataRange(False, True)
    display.SetScalarBarVisibility(pv.GetActiveView(), False)


def balls_and_sticks(part, view, array, name):
    diameters = pv.Calculator(Input=part, ResultArrayName="diameter", Function=f"{2 * BALL} * radius")
    balls = pv.Glyph(Input=diameters, GlyphType="Sphere", GlyphMode="All Points", ScaleArray=["POINTS", "diameter"],
                     OrientationArray=["POINTS", "No orientation array"])
    balls.ScaleFactor = 1.0  # ParaView chooses one as it makes the filter
    sticks = pv.Tube(Input=part, Radius=STICK, NumberofSides=8, Vectors=["POINTS", ""], Scalars=["POINTS", ""])
    for filter_, what in ((balls, "balls"), (sticks, "sticks")):
        pv.RenameSource(f"{name}: {what}", filter_)
        display = pv.Show(filter_, view)
        colour(display, array)
        display.Specular = 0.3


def is_empty(part):
    part.UpdatePipeline()
    return part.GetDataInformation().GetNumberOfPoints() == 0


def show(run, view):
    """The scene of an opened run. Returns the times of its frames [ps]."""
    pv.SetActiveView(view)
    atoms, box = atoms_and_box(run)
    protein, water = of_kind(atoms, PROTEIN, PROTEIN), of_kind(atoms, WATER, WATER)
    if not is_empty(protein):
        balls_and_sticks(protein, view, "residue_id", "protein")
    for lowest, highest, name in ((0, 0, "other molecules"), (3, 3, "ions")):
        part = of_kind(atoms, lowest, highest)
        if not is_empty(part):
            balls_and_sticks(part, view, "element", name)
    if not is_empty(water):
        pv.RenameSource("water", water)
        display = pv.Show(water, view)
        display.Representation, display.LineWidth, display.Opacity = "Wireframe", 1.0, 0.25
        display.ColorArrayName = ["POINTS", ""]
        display.AmbientColor = display.DiffuseColor = [0.35, 0.55, 0.8]
    if box is not None:
        pv.RenameSource("box", box)
        display = pv.Show(box, view)
        display.Representation, display.LineWidth = "Wireframe", 2.0
        display.ColorArrayName = ["POINTS", ""]
        display.AmbientColor = display.DiffuseColor = [0.1, 0.1, 0.1]
    pv.Hide(run, view)
    pv.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    label = pv.Show(pv.AnnotateTimeFilter(Input=run, Format="t = {time:.2f} ps"), view)
    label.Color, label.FontSize, label.WindowLocation = [0.1, 0.1, 0.1], 20, "Lower Left Corner"
    view.UseColorPaletteForBackground, view.Background = 0, [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 0
    return list(run.TimestepValues)


def look_from_the_side(view):
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1.0, -2.4, 0.6], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]
    pv.ResetCamera(view)
    view.GetActiveCamera().Zoom(1.45)


def go_to(view, time):
    pv.GetAnimationScene().AnimationTime = time
    view.ViewTime = time


def opened(path):
    run = pv.OpenDataFile(os.path.abspath(path))
    if run is None:
        raise SystemExit(f"ParaView has no reader for {path}")
    run.UpdatePipelineInformation()
    return run


def as_script(path, picture, which="last"):
    run = opened(path)
    view = pv.CreateView("RenderView")
    view.ViewSize = [1000, 750]
    times = show(run, view)
    name, ending = os.path.splitext(picture)
    chosen = times if which == "all" else [times[-1] if which == "last" else float(which)]
    go_to(view, chosen[0])
    look_from_the_side(view)
    for number, time in enumerate(chosen):
        go_to(view, time)
        pv.Render(view)
        pv.SaveScreenshot(f"{name}.{number:04d}{ending}" if which == "all" else picture, view)


def as_macro():
    run = pv.GetActiveSource() or (opened(os.environ["RUN"]) if "RUN" in os.environ else None)
    if run is None or not hasattr(run, "TimestepValues"):
        raise RuntimeError("select the opened RUN.pvd (or RUN.xdmf) in the pipeline browser first")
    view = pv.GetActiveViewOrCreate("RenderView")
    show(run, view)
    look_from_the_side(view)
    pv.Render(view)


if len(sys.argv) > 2:
    as_script(*sys.argv[1:])
else:
    as_macro()
