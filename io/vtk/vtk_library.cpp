// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_library.h"

#include <dlfcn.h>

#include "core/error.h"

namespace mdsim {

namespace {

// Where the build has put it; empty where mdsim is built without VTK.
constexpr std::string_view built_file = MDSIM_VTK_LIBRARY;

// Beside the program, also where that was moved to; tests lie elsewhere. A full path, since what a bare name is looked
// for in depends on who calls dlopen, which sanitizers do in our place.
std::filesystem::path library_file() {
    std::error_code failed;
    const std::filesystem::path built(built_file);
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", failed).replace_filename(built.filename());
    return std::filesystem::exists(beside, failed) ? beside : built;
}

// Never closed: VTK's libraries have objects that live until the program ends.
void* open_library() {
    if (!VtkLibrary::built()) throw_input_error(VtkLibrary::not_built());
    void* library = ::dlopen(library_file().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
    throw_input_error({.code = "MD361",
                       .what = std::string("the library that writes files for ParaView does not open: ") + ::dlerror(),
                       .why = "it stands beside the program, and needs the VTK that mdsim was built with",
                       .remedy = "install that version of VTK, or build mdsim again"});
}

template <class Call>
void find(void* library, const char* name, Call& call) {
    call = reinterpret_cast<Call>(::dlsym(library, name));
    MDSIM_ENSURE(call != nullptr);
}

void take(void* receiver, const char* bytes, std::size_t count) {
    static_cast<std::string*>(receiver)->assign(bytes, count);
}

template <class Call, class Data>
std::string encoded(Call call, const Data& data, const std::filesystem::path& path) {
    std::string bytes;
    if (const char* failure = call(&data, take, &bytes)) {
        throw_io_error({.code = "MD601",
                        .place = {path.string()},
                        .what = std::string("encoding failed: ") + failure,
                        .remedy = "select fewer atoms, or a coarser grid"});
    }
    return bytes;
}

}  // namespace

bool VtkLibrary::built() {
    return !built_file.empty();
}

Problem VtkLibrary::not_built() {
    return {.code = "MD361",
            .what = "this mdsim is built without VTK, which writes .pvd, .vtp and .vti files",
            .remedy =
                "install VTK (Debian: libvtk9-dev) and build with -DMDSIM_VTK=ON; the .xdmf beside an .h5 trajectory "
                "opens in ParaView without it"};
}

VtkLibrary::VtkLibrary() {
    void* library = open_library();
    find(library, "mdsim_vtk_lines", lines_);
    find(library, "mdsim_vtk_image", image_);
    find(library, "mdsim_vtk_version", version_);
}

std::string VtkLibrary::encode(const MdsimVtkLines& lines, const std::filesystem::path& path) const {
    return encoded(lines_, lines, path);
}

std::string VtkLibrary::encode(const MdsimVtkImage& image, const std::filesystem::path& path) const {
    return encoded(image_, image, path);
}

}  // namespace mdsim
