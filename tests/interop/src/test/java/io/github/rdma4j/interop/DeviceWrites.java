// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The distinct commands that programs have written to the kernel's devices, as {@link CommandBytes} shows them. */
final class DeviceWrites {
    private static final String DIRECTORY = "/dev/infiniband/";
    private static final String CM = "rdma_cm ";
    private static final String UVERBS = "uverbs ";

    /**
     * Exception: when it starts, the C library tries whether the kernel takes InfiniBand addresses, with an id in the
     * port space IB that it binds to a loopback address of that family. We have no need to know.
     */
    private static final String AF_IB_ID = "rdma_cm 0 0000000018000400................................3f01";

    private static final String AF_IB_BIND = "rdma_cm 20 1400000088000000........300000001b";

    private final Set<String> commands;

    private DeviceWrites(Set<String> commands) {
        this.commands = commands;
    }

    /** What the logs of strace hold. */
    static DeviceWrites read(Path... logs) throws IOException {
        Set<String> commands = new TreeSet<>();
        for (Path log : logs) {
            for (Strace.Write write : Strace.writes(log, DIRECTORY)) {
                commands.add(
                        write.file().endsWith("rdma_cm")
                                ? CommandBytes.cm(write.bytes())
                                : CommandBytes.uverbs(write.bytes()));
            }
        }
        return new DeviceWrites(commands);
    }

    private Set<String> matching(Predicate<String> wanted) {
        return commands.stream().filter(wanted).collect(Collectors.toCollection(TreeSet::new));
    }

    /** To the connection manager. */
    Set<String> cm() {
        return matching(command -> command.startsWith(CM));
    }

    /** To a device. */
    Set<String> uverbs() {
        return matching(command -> command.startsWith(UVERBS));
    }

    /** What the C library tries when it starts. */
    Set<String> probe() {
        return matching(command -> command.startsWith(AF_IB_ID) || command.startsWith(AF_IB_BIND));
    }

    /** To the connection manager, but for that. */
    Set<String> cmWithoutProbe() {
        Set<String> rest = cm();
        rest.removeAll(probe());
        return rest;
    }
}
