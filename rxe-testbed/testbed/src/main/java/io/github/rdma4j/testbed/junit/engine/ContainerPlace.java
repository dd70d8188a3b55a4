// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.host.TestbedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Starts the JVM in a guest of a container: the command of the container is {@code testbed run}. This class checks that
 * Testcontainers is present, so it must not need Testcontainers itself.
 */
final class ContainerPlace {
    private static final String TESTCONTAINERS = "org.testcontainers.containers.GenericContainer";

    /** The variables that the testbed sets in the guest. */
    private static final Set<String> OF_THE_GUEST = Set.of("RDMA4J_GUEST", "RDMA4J_NODE");

    /** Variables that would also affect programs in the container: names, and prefixes of names. */
    private static final Set<String> OF_PROGRAMS = Set.of("PATH", "HOME", "TMPDIR", "_JAVA_OPTIONS");

    private static final List<String> OF_JVMS = List.of("RDMA4J_", "XDG_", "LD_", "JAVA_", "JDK_");

    private ContainerPlace() {}

    static WorkerPlace.Running start(GuestSpec spec, JvmCommand command) throws TestbedException, InterruptedException {
        requireTestcontainers(ContainerPlace.class.getClassLoader());
        return ContainedGuest.start(spec, command);
    }

    static void requireTestcontainers(@Nullable ClassLoader classes) throws TestbedException {
        try {
            Class<?> unused = Class.forName(TESTCONTAINERS, false, classes);
        } catch (ClassNotFoundException e) {
            throw new TestbedException(
                    "tests run in containers (" + Backend.PROPERTY + " or " + Backend.VARIABLE + " says so) only with"
                            + " Testcontainers: add org.testcontainers:testcontainers to the test dependencies, or choose"
                            + " another backend",
                    e);
        }
    }

    /** The environment of this process for the JVM in the guest. */
    static Map<String, String> environment(Map<String, String> environment) {
        Map<String, String> taken = new TreeMap<>(environment);
        taken.keySet().removeAll(OF_THE_GUEST);
        return taken;
    }

    /**
     * Whether the container must not have this variable of the JVM in the guest, because the testbed in the container
     * has its own value.
     */
    static boolean isOnlyForTheGuest(String variable) {
        return OF_PROGRAMS.contains(variable) || OF_JVMS.stream().anyMatch(variable::startsWith);
    }

    /** The kind of guest for the attributes of a test: only QEMU has a choice of kernels, and PVRDMA. */
    static Backend kind(GuestSpec spec, Backend suitable) {
        return spec.kernel().isEmpty() && spec.device() != Testbed.Device.PVRDMA ? suitable : Backend.VM;
    }
}
