// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process whose cgroup may have few objects of the device. */
@RequiresSiw
class LimitsSiwIT {
    private static final int MOST_HANDLES = 2;
    private static final int MOST_OBJECTS = 6;

    private Path hierarchy;
    private Path limited;

    /** The process. */
    static final class Limited {
        private Limited() {}

        public static void main(String[] arguments) throws Exception {
            try (DeviceContext context = open();
                    DeviceContext second = open()) {
                refused("context", Limited::open);
                List<ProtectionDomain> domains = new ArrayList<>();
                boolean refused = false;
                while (!refused) {
                    refused = refused("domain", () -> domains.add(context.allocatePd()));
                }
                System.out.println("domains: " + domains.size());
                refused("queue", () -> second.createCq(4));
                domains.remove(0).close();
                second.createCq(4).close();
                domains.get(0).close();
                System.out.println("went on");
            }
        }

        private static DeviceContext open() throws RdmaException {
            return DeviceContext.open(Siw.DEVICE);
        }

        private interface Attempt {
            Object run() throws RdmaException;
        }

        private static boolean refused(String what, Attempt attempt) throws RdmaException {
            try {
                attempt.run();
                return false;
            } catch (ErrnoException e) {
                System.out.println(what + ": " + e.getMessage());
                return true;
            }
        }
    }

    @BeforeEach
    void limit() throws Exception {
        hierarchy = Files.createTempDirectory("cgroup");
        Program.run("mount", "-t", "cgroup2", "none", hierarchy.toString());
        Files.writeString(hierarchy.resolve("cgroup.subtree_control"), "+rdma");
        limited = Files.createDirectory(hierarchy.resolve("limited"));
        Files.writeString(
                limited.resolve("rdma.max"),
                Siw.DEVICE + " hca_handle=" + MOST_HANDLES + " hca_object=" + (MOST_HANDLES + MOST_OBJECTS));
    }

    @AfterEach
    void remove() throws Exception {
        Files.delete(limited);
        Files.writeString(hierarchy.resolve("cgroup.subtree_control"), "-rdma");
        Program.run("umount", hierarchy.toString());
        Files.delete(hierarchy);
    }

    @Test
    void isToldOfTheLimitAndKeepsWhatItHas() throws Exception {
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", limited.toString()));
        command.addAll(Program.java(Limited.class));
        try (Program program = Program.start(command)) {
            String said = program.success();
            for (String what : List.of("context", "domain", "queue")) {
                assertThat(said.lines().filter(line -> line.startsWith(what + ": ")))
                        .as(said)
                        .singleElement()
                        .asString()
                        .contains("EAGAIN", "rdma.max");
            }
            assertThat(said).contains("went on");
        }
    }
}
