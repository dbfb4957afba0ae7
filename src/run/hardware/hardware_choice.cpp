// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/hardware_choice.h"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "parallel/threads.h"
#include "parallel/together.h"
#include "run/hardware/device_lock.h"
#include "run/hardware/node_topology.h"
#include "run/hardware/rank_places.h"

namespace mdsim {

namespace {

gpu::HostSettings host_settings(const DebugInput& debug) {
    gpu::HostSettings host;
    host.warp_width = debug.warp_width;
    if (debug.random_order_seed) {
        host.order = gpu::ThreadOrder::shuffled;
        host.seed = *debug.random_order_seed;
    }
    if (debug.device_memory) host.memory = static_cast<std::size_t>(*debug.device_memory);
    if (debug.device_shared_memory) host.shared_bytes = static_cast<std::size_t>(*debug.device_shared_memory);
    if (debug.device_lost_after) host.lost_after = static_cast<std::uint64_t>(*debug.device_lost_after);
    return host;
}

const SettingLine& setting(const Input& input, const char* key) {
    return *std::find_if(input.settings.begin(), input.settings.end(),
                         [&](const SettingLine& line) { return line.key == key; });
}

// "FILE:LINE", "--set", or the file where nothing is given.
Place place_of(const Input& input, const char* key) {
    const std::string& origin = setting(input, key).origin;
    return {origin == "default" ? input.file.string() : origin};
}

[[noreturn]] void throw_double(const Input& input) {
    throw_input_error(
        {.code = "MD706",
         .place = place_of(input, "hardware.precision"),
         .what = fmt::format("precision = \"double\" with gpu = {}", setting(input, "hardware.gpu").value),
         .why = "the kernels of GPUs are of mixed precision; double precision is computed by the CPU",
         .remedy = "gpu = \"off\" for double precision, or precision = \"mixed\" for a GPU"});
}

gpu::Candidates find_candidates(const Input& input, const Machine& machine) {
    const gpu::Wish wish = input.hardware.gpu == GpuChoice::automatic ? gpu::Wish::wanted : gpu::Wish::required;
    try {
        return gpu::candidates(wish, input.hardware.devices, machine.survey());
    } catch (const gpu::DeviceError& error) {
        Problem problem = error.problems().front();
        problem.place = place_of(input, "hardware.gpu");
        throw Error(error.exit_code(), std::move(problem));
    }
}

// All ranks of a host come to the same deal.
std::size_t place_in_deal(const std::vector<gpu::DeviceInfo>& devices, const Machine& machine) {
    std::vector<Locality> ranks = machine.of_ranks, places;
    if (ranks.empty()) ranks.resize(static_cast<std::size_t>(machine.rank.size));
    if (machine.rank.size == 1) ranks.front() = machine.locality;
    for (const gpu::DeviceInfo& device : devices) places.push_back(machine.of_device(device.pci));
    return deal_devices(ranks, places)[static_cast<std::size_t>(machine.rank.rank)];
}

// Where each rank has a device of its own, by Slurm's binding or by a script that sets the variables for visible
// devices, their number says nothing of the others; a mark does.
bool too_many_ranks(std::size_t devices, const Machine& machine) {
    const bool bound = machine.devices_of_step > 0 ? static_cast<std::size_t>(machine.devices_of_step) > devices
                                                   : devices == 1 && machine.hidden;
    return !bound && static_cast<std::size_t>(machine.rank.size) > devices;
}

void warn_of_sharing(HardwareChoice& choice, std::size_t devices, const Machine& machine) {
    const gpu::DeviceInfo& device = *choice.device;
    const bool crowded = too_many_ranks(devices, machine);
    if (crowded) {
        choice.warnings.push_back(fmt::format(
            "{} processes of this launch ({}) share {} GPU{} on host {}: they slow each other down; start as "
            "many as there are GPUs, or ask for more GPUs",
            machine.rank.size, machine.rank.source, devices, devices == 1 ? "" : "s", machine.host));
    }
    const std::optional<std::filesystem::path> marks = machine.marks();
    if (!marks) return;
    const std::string& id = device.uuid.empty() ? device.pci : device.uuid;
    DeviceLock mark = mark_device(*marks, id, machine.rank);
    choice.mark = std::move(mark.lock);
    if (mark.owner.empty() || (crowded && mark.same_job)) return;
    choice.warnings.push_back(
        fmt::format("GPU {} ({}) is used by another mdsim, {}: they slow each other down; wait for its end, or take "
                    "another GPU with gpu = [number] or the variable for visible devices",
                    device.number, id, mark.owner));
}

std::string name_of_device(const gpu::DeviceInfo& device) {
    std::string text = fmt::format("{} {}", device.number, device.name);
    if (!device.architecture.empty()) text += fmt::format(", {}", device.architecture);
    if (!device.pci.empty()) text += fmt::format(", {}", device.pci);
    return text;
}

// Kernels of so many ranks take turns on a device before processors do better without.
constexpr std::size_t most_ranks_a_device = 4;

bool worth_sharing(std::size_t devices, const Machine& machine) {
    return !too_many_ranks(devices, machine) ||
           static_cast<std::size_t>(machine.rank.size) <= most_ranks_a_device * devices;
}

void take_device(HardwareChoice& choice, const Input& input, const Machine& machine) {
    gpu::Candidates found = find_candidates(input, machine);
    if (found.devices.empty()) {
        choice.notes.push_back("no GPU: " + found.missing);
        return;
    }
    if (input.hardware.gpu == GpuChoice::automatic && !worth_sharing(found.devices.size(), machine)) {
        choice.notes.push_back(
            fmt::format("no GPU: {} ranks on host {} would share {}, more than {} each; "
                        "gpu = \"required\" has them share all the same",
                        machine.rank.size, machine.host, found.devices.size(), most_ranks_a_device));
        return;
    }
    choice.device = found.devices[place_in_deal(found.devices, machine)];
    choice.notes.push_back(fmt::format("{} device {} of {}", name_of(choice.device->backend),
                                       name_of_device(*choice.device), found.devices.size()));
    warn_of_sharing(choice, found.devices.size(), machine);
}

void choose_device(HardwareChoice& choice, const Input& input, const Machine& machine) {
    const GpuChoice asked = input.hardware.gpu;
    const bool full = input.hardware.precision == PrecisionChoice::double_;
    if (asked == GpuChoice::off) {
        choice.notes.emplace_back("no GPU, as the input asks");
    } else if (full && asked == GpuChoice::automatic) {
        choice.notes.emplace_back("no GPU: its kernels are of mixed precision, and the input asks for double");
    } else if (full) {
        throw_double(input);
    } else if (asked == GpuChoice::host) {
        choice.device = gpu::host_device();
        choice.notes.emplace_back("kernels of the GPU, executed on the CPU (slow; for tests)");
    } else {
        take_device(choice, input, machine);
    }
}

// Results are those of one kind of device, so all ranks compute with one or none does.
void leave_lone_devices(HardwareChoice& choice, const Machine& machine, const Comm& world) {
    const std::string own = choice.device ? std::string() : machine.host;
    const std::vector<Bytes> hosts = world.gather_to_all(std::as_bytes(std::span(own)));
    const auto without = std::find_if(hosts.begin(), hosts.end(), [](const Bytes& host) { return !host.empty(); });
    if (without == hosts.end() || !choice.device) return;
    choice.device.reset();
    choice.mark = {};
    choice.warnings.clear();
    const std::string_view host(reinterpret_cast<const char*>(without->data()), without->size());
    choice.notes.front() = fmt::format("no GPU: rank {} on {} has none, and all ranks compute with GPUs or none does",
                                       without - hosts.begin(), host);
}

bool mpi_takes_memory_of(gpu::Backend backend) {
    if (backend == gpu::Backend::host) return true;
    return mpi_takes(backend == gpu::Backend::cuda ? DeviceMemory::cuda : DeviceMemory::hip);
}

void choose_transport(HardwareChoice& choice, const Input& input) {
    if (!choice.device) return;
    constexpr std::array words{"\"auto\"", "\"direct\"", "\"staged\""};
    const GpuMessages asked = input.hardware.gpu_messages;
    const bool can = mpi_takes_memory_of(choice.device->backend);
    const bool direct = asked == GpuMessages::automatic ? can : asked == GpuMessages::direct;
    choice.transport = direct ? Transport::direct : Transport::staged;
    choice.notes.push_back(
        fmt::format("messages between GPUs: {} (MPI {} that it takes memory of GPUs; gpu_messages = {})",
                    direct ? "from their memory" : "through pinned memory of the host", can ? "says" : "does not say",
                    words[static_cast<std::size_t>(asked)]));
    if (direct && !can) {
        choice.warnings.push_back(
            "gpu_messages = \"direct\", and MPI does not say that it takes memory of GPUs: where it "
            "does not the run will crash; leave the key out");
    }
}

// Of the kind of device alone results are a function.
void warn_of_unlike_devices(HardwareChoice& choice, const Comm& world) {
    const std::string own = choice.device ? choice.device->name + " " + choice.device->architecture : std::string();
    const std::vector<Bytes> all = world.gather_to_all(std::as_bytes(std::span(own)));
    const auto other = std::find_if(all.begin(), all.end(), [&](const Bytes& name) { return name != all.front(); });
    if (other == all.end() || !world.leads()) return;
    const std::string_view name(reinterpret_cast<const char*>(other->data()), other->size());
    choice.warnings.push_back(
        fmt::format("GPUs differ: rank 0 has {}, rank {} has {}; the last bits of forces then depend on which rank has "
                    "which atoms, and so on the number of ranks",
                    own, other - all.begin(), name));
}

PlacementRow row_of(const HardwareChoice& choice, const Machine& machine) {
    PlacementRow row{.host = machine.host,
                     .cores = machine.cores,
                     .threads = std::to_string(thread_count()),
                     .nodes = NodeTopology::as_list(machine.locality.nodes)};
    if (!choice.device) return row;
    row.device = choice.device->backend == gpu::Backend::host ? "host" : name_of_device(*choice.device);
    row.uuid = choice.device->uuid;
    return row;
}

std::vector<PlacementRow> gather_rows(const Comm& world, PlacementRow own) {
    std::string text;
    for (const std::string* field : {&own.host, &own.cores, &own.threads, &own.nodes, &own.device, &own.uuid})
        text += *field + "\n";
    std::vector<PlacementRow> rows;
    for (const std::string& of_rank : gather_texts(world, text)) {
        PlacementRow row{.rank = static_cast<int>(rows.size())};
        std::istringstream lines(of_rank);
        for (std::string* field : {&row.host, &row.cores, &row.threads, &row.nodes, &row.device, &row.uuid})
            std::getline(lines, *field);
        rows.push_back(std::move(row));
    }
    return rows;
}

// One line each; ranks that warn of the same do so once.
std::vector<std::string> gather_warnings(const Comm& world, const std::vector<std::string>& own) {
    std::string text;
    for (const std::string& warning : own) text += warning + "\n";
    std::vector<std::string> all;
    for (const std::string& of_rank : gather_texts(world, text)) {
        std::istringstream lines(of_rank);
        for (std::string line; std::getline(lines, line);) {
            if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(line);
        }
    }
    return all;
}

// Of the ranks of the launch: those on this host, their cores, and how many have the same ones.
void find_neighbours(Machine& machine, const NodeTopology& topology, const Comm& world,
                     const Environment& environment) {
    const RankPlace own{machine.host, machine.cores};
    int here = 0, before = 0, sharing = 0;
    std::vector<Locality> of_ranks;
    const std::vector<RankPlace> places = share_places(world, own);
    for (std::size_t r = 0; r < places.size(); ++r) {
        if (places[r].host != own.host) continue;
        if (r < static_cast<std::size_t>(world.rank())) ++before;
        ++here;
        if (places[r] == own) ++sharing;
        of_ranks.push_back(topology.of_cores(places[r].cores));
    }
    machine.threads = default_threads(thread_count(), sharing, here, environment);
    // Of a process that is alone the launcher knows more: neighbours that compute something else.
    if (world.alone()) return;
    machine.of_ranks = std::move(of_ranks);
    machine.rank.rank = before;
    machine.rank.size = here;
    if (machine.rank.source.empty()) machine.rank.source = "MPI";
}

}  // namespace

Machine this_machine(const Comm& world) {
    const Environment environment = this_environment();
    const auto topology = std::make_shared<NodeTopology>();
    Machine machine;
    machine.survey = gpu::survey_devices;
    machine.rank = local_rank(environment);
    machine.devices_of_step = devices_of_step(environment);
    machine.hidden = !gpu::visible_devices(gpu::Backend::hip, environment).empty();
    machine.host = host_name();
    machine.cores = topology->cores();
    machine.locality = topology->of_cores(machine.cores);
    machine.of_device = [topology](const std::string& pci) { return topology->of_device(pci); };
    machine.marks = [environment] { return runtime_folder(environment); };
    find_neighbours(machine, *topology, world, environment);
    return machine;
}

HardwareChoice choose_hardware(const Input& input, const Machine& machine, const Comm& world) {
    HardwareChoice choice;
    choice.host = host_settings(input.debug);
    together(world, [&] { choose_device(choice, input, machine); });
    if (!world.alone()) {
        leave_lone_devices(choice, machine, world);
        choose_transport(choice, input);
        warn_of_unlike_devices(choice, world);
    }
    if (!machine.rank.source.empty()) {
        choice.notes.push_back(
            fmt::format("local rank {} of {} ({})", machine.rank.rank, machine.rank.size, machine.rank.source));
    }
    choice.notes.emplace_back("placement:");
    for (std::string& line : placement_table(gather_rows(world, row_of(choice, machine))))
        choice.notes.push_back(std::move(line));
    choice.warnings = gather_warnings(world, choice.warnings);
    return choice;
}

}  // namespace mdsim
