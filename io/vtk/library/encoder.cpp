// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/library/encoder.h"

#include <algorithm>
#include <exception>
#include <string>
#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSMPTools.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkVersion.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLPolyDataWriter.h>

namespace {

template <class Array, class T>
vtkSmartPointer<vtkAbstractArray> numbers(const MdsimVtkArray& array, vtkIdType tuples) {
    auto copy = vtkSmartPointer<Array>::New();
    copy->SetNumberOfComponents(array.components);
    copy->SetNumberOfTuples(tuples);
    std::copy_n(static_cast<const T*>(array.values), tuples * array.components, copy->GetPointer(0));
    return copy;
}

vtkSmartPointer<vtkAbstractArray> texts(const MdsimVtkArray& array, vtkIdType tuples) {
    auto copy = vtkSmartPointer<vtkStringArray>::New();
    copy->SetNumberOfValues(tuples);
    const auto* values = static_cast<const char* const*>(array.values);
    for (vtkIdType i = 0; i < tuples; ++i) copy->SetValue(i, values[i]);
    return copy;
}

void add_arrays(vtkDataSet* data, const MdsimVtkArray* arrays, std::size_t count) {
    const vtkIdType tuples = data->GetNumberOfPoints();
    for (std::size_t n = 0; n < count; ++n) {
        const MdsimVtkArray& array = arrays[n];
        const auto copy = array.type == mdsim_vtk_float32 ? numbers<vtkFloatArray, float>(array, tuples)
                          : array.type == mdsim_vtk_int32 ? numbers<vtkIntArray, std::int32_t>(array, tuples)
                                                          : texts(array, tuples);
        copy->SetName(array.name);
        data->GetPointData()->AddArray(copy);
    }
}

void add_time(vtkDataSet* data, double time) {
    vtkNew<vtkDoubleArray> value;
    value->SetName("TimeValue");
    value->InsertNextValue(time);
    data->GetFieldData()->AddArray(value);
}

vtkNew<vtkPolyData> poly_data(const MdsimVtkLines& lines) {
    vtkNew<vtkFloatArray> positions;
    positions->SetNumberOfComponents(3);
    positions->SetNumberOfTuples(lines.points);
    std::copy_n(lines.positions, 3 * lines.points, positions->GetPointer(0));
    vtkNew<vtkPoints> points;
    points->SetData(positions);
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    if (lines.point_cells != 0) {
        vtkNew<vtkCellArray> cells;
        for (vtkIdType i = 0; i < lines.points; ++i) cells->InsertNextCell({i});
        data->SetVerts(cells);
    }
    vtkNew<vtkCellArray> cells;
    for (std::int64_t i = 0; i < lines.lines; ++i) {
        cells->InsertNextCell(
            {static_cast<vtkIdType>(lines.ends[2 * i]), static_cast<vtkIdType>(lines.ends[2 * i + 1])});
    }
    data->SetLines(cells);
    return data;
}

// To a string: on a full disk VTK 9.1 leaves half a file behind, or crashes (inline poly data).
template <class Writer, class Data>
const char* encode(Data* data, MdsimVtkTake take, void* receiver) {
    vtkNew<Writer> writer;
    writer->SetInputData(data);
    writer->SetDataModeToBinary();
    writer->SetCompressorTypeToZLib();
    writer->SetCompressionLevel(1);  // half the time of the usual 5, for files that are 5 % longer
    writer->SetHeaderTypeToUInt64();
    writer->SetByteOrderToLittleEndian();
    writer->WriteToOutputStringOn();
    if (writer->Write() != 1) return "VTK could not write the data set";
    const std::string bytes = writer->GetOutputString();
    take(receiver, bytes.data(), bytes.size());
    return nullptr;
}

// VTK begins no threads of its own: the engine has given all processors away already.
void leave_processors_alone() {
    static const bool done = (vtkSMPTools::Initialize(1), true);
    static_cast<void>(done);
}

template <class F>
const char* guarded(F&& call) {
    try {
        leave_processors_alone();
        return call();
    } catch (const std::bad_alloc&) {
        return "not enough memory";
    } catch (const std::exception&) {
        return "VTK failed";
    }
}

}  // namespace

const char* mdsim_vtk_lines(const MdsimVtkLines* lines, MdsimVtkTake take, void* receiver) {
    return guarded([&] {
        const vtkNew<vtkPolyData> data = poly_data(*lines);
        add_arrays(data, lines->arrays, lines->array_count);
        add_time(data, lines->time);
        return encode<vtkXMLPolyDataWriter>(data.Get(), take, receiver);
    });
}

const char* mdsim_vtk_image(const MdsimVtkImage* image, MdsimVtkTake take, void* receiver) {
    return guarded([&] {
        vtkNew<vtkImageData> data;
        data->SetDimensions(image->points);
        data->SetOrigin(image->origin);
        data->SetSpacing(image->spacing);
        add_arrays(data, image->arrays, image->array_count);
        if (image->array_count > 0) data->GetPointData()->SetActiveScalars(image->arrays[0].name);
        add_time(data, image->time);
        return encode<vtkXMLImageDataWriter>(data.Get(), take, receiver);
    });
}

const char* mdsim_vtk_version(void) {
    return vtkVersion::GetVTKVersion();
}
