// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace mdsim {

/// Three components of a vector in Cartesian space.
template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr const T& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr Vec3& operator+=(const Vec3& o) {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    constexpr Vec3& operator-=(const Vec3& o) {
        x -= o.x;
        y -= o.y;
        z -= o.z;
        return *this;
    }
    constexpr Vec3& operator*=(T s) {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
    friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
    friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
    friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(Vec3 a, T s) { return a *= s; }
    friend constexpr Vec3 operator*(T s, Vec3 a) { return a *= s; }
    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
constexpr T norm2(const Vec3<T>& a) {
    return dot(a, a);
}

template <class T>
T norm(const Vec3<T>& a) {
    return std::sqrt(dot(a, a));
}

using Vec3d = Vec3<double>;
using Vec3l = Vec3<std::int64_t>;

/// A 3 x 3 matrix by rows.
using Mat3d = std::array<Vec3d, 3>;

}  // namespace mdsim
