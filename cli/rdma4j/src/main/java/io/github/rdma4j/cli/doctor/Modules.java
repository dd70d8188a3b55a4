// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import java.util.List;
import java.util.Optional;

/** The modules of the kernel, and the commands that load missing modules. */
record Modules(Machine machine) {
    /** The command for a kernel that has the modules. */
    static final String TESTBED = "./rdma4j testbed run -- COMMAND";

    /** Whether a module is in memory, as a module or as a part of the kernel. */
    boolean isLoaded(String module) {
        return machine.hasSysfs("module/" + module)
                || contains(machine.read("proc/modules"), "\n" + module + " ")
                || contains(machine.read(directory() + "modules.builtin"), "/" + module + ".ko");
    }

    /** Whether {@code modprobe} may help. Most containers cannot tell; then the host may have the module. */
    boolean mayBeLoaded(String module) {
        if (machine.read("proc/modules").isEmpty()) {
            return false;
        }
        Optional<String> all = machine.read(directory() + "modules.dep");
        return all.isEmpty() ? machine.isContainer() : contains(all, "/" + module + ".ko");
    }

    String remedy(String module) {
        return remedy(List.of(module));
    }

    /** The command that loads the modules. */
    String remedy(List<String> modules) {
        List<String> absent =
                modules.stream().filter(module -> !mayBeLoaded(module)).toList();
        if (absent.isEmpty()) {
            return onHost((modules.size() == 1 ? "modprobe " : "modprobe -a ") + String.join(" ", modules));
        }
        return TESTBED + " (Linux " + machine.release() + " is built without " + String.join(", ", absent) + ")";
    }

    /** A command that must run on the host of a container. */
    String onHost(String command) {
        return machine.isContainer() ? "on the host, outside this container: " + command : command;
    }

    private String directory() {
        return "lib/modules/" + machine.release() + "/";
    }

    private static boolean contains(Optional<String> text, String part) {
        return ("\n" + text.orElse("")).contains(part);
    }
}
