// SPDX-License-Identifier: Apache-2.0
#pragma once

// The windows for kernels. Only a .cu includes this.

#include <algorithm>
#include <type_traits>

#include "gpu/kernels/device_formulas.h"
#include "gpu/kernels/mesh/window/mesh_window.h"
#include "physics/mesh_window.h"

namespace mdsim::kernels::MDSIM_BACKEND {

/// Arguments of a kernel that is made for one window.
template <class Args, class Window>
struct WithWindow {
    Args args;
    Window window;
};

template <int Order>
physics::PolynomialWindow<Order, MeshWindow::terms, float> window_by_pieces(const MeshWindow& from) {
    physics::PolynomialWindow<Order, MeshWindow::terms, float> window;
    for (int j = 0; j < Order; ++j) std::copy_n(from.pieces[j], MeshWindow::terms, window.pieces[j]);
    return window;
}

/// Calls f with the arguments and args.window, whose order is a constant of its type.
template <class Args, class F>
void with_window(const Args& args, F&& f) {
    const MeshWindow& window = args.window;
    const auto call = [&](const auto& weights) { f(WithWindow<Args, std::decay_t<decltype(weights)>>{args, weights}); };
    if (window.by_pieces) {
        if (window.order == 5) return call(window_by_pieces<5>(window));
        if (window.order == 6) return call(window_by_pieces<6>(window));
        if (window.order == 7) return call(window_by_pieces<7>(window));
        return call(window_by_pieces<8>(window));
    }
    if (window.order == 4) return call(physics::BSplineWindow<4>());
    if (window.order == 5) return call(physics::BSplineWindow<5>());
    call(physics::BSplineWindow<6>());
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
