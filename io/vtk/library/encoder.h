// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// The whole of what libmdsim_vtk offers. It alone links VTK, and is opened when a file for ParaView is written for the
// first time, so that no other run loads VTK. The interface is C's: nothing of C++ crosses the border, and VTK's
// headers stay behind it.
extern "C" {

enum MdsimVtkType : int { mdsim_vtk_float32, mdsim_vtk_int32, mdsim_vtk_text };

/// One array of a data set, a tuple for each point.
struct MdsimVtkArray {
    const char* name;
    MdsimVtkType type;
    int components;      ///< numbers of a tuple; 1 for texts
    const void* values;  ///< float, std::int32_t or const char*; extent: points * components
};

/// Points, and lines between two of them each.
struct MdsimVtkLines {
    std::int64_t points;
    const float* positions;  ///< extent: 3 * points
    int point_cells;         ///< 1: each point is a cell too, so that it is drawn
    std::int64_t lines;
    const std::int64_t* ends;  ///< extent: 2 * lines
    const MdsimVtkArray* arrays;
    std::size_t array_count;
    double time;  ///< becomes the field TimeValue
};

/// A rectangular grid of points.
struct MdsimVtkImage {
    int points[3];  ///< along x, y, z; x runs fastest in the arrays
    double origin[3], spacing[3];
    const MdsimVtkArray* arrays;
    std::size_t array_count;
    double time;
};

/// Takes the bytes of the file.
typedef void (*MdsimVtkTake)(void* receiver, const char* bytes, std::size_t count);

/// A file .vtp or .vti with inline binary data, compressed by zlib. (Inline, since ParaView 5.11 with a current
/// libexpat does not find appended data: VTK issue 19258.) Both return null, or what went wrong,
/// and may be called by several threads at once.
const char* mdsim_vtk_lines(const MdsimVtkLines* lines, MdsimVtkTake take, void* receiver);
const char* mdsim_vtk_image(const MdsimVtkImage* image, MdsimVtkTake take, void* receiver);

/// Version of VTK.
const char* mdsim_vtk_version(void);
}
