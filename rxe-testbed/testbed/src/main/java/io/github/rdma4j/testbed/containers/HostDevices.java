// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import com.github.dockerjava.api.model.Device;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Ulimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;

/** The RDMA devices of the engine's machine that a container can have. */
final class HostDevices {
    private static final String INSTEAD = "; without withHostDevices() the container has a guest with soft-RoCE";
    private static final String MEMLOCK = "memlock";

    private final Path root;
    private final String engine;

    /**
     * @param root the root of the machine's files
     * @param engine the scheme of the engine's address
     */
    HostDevices(Path root, String engine) {
        this.root = root;
        this.engine = engine;
    }

    static HostDevices ofThisMachine() {
        String scheme = DockerClientFactory.instance()
                .getTransportConfig()
                .getDockerHost()
                .getScheme();
        return new HostDevices(Path.of("/"), scheme);
    }

    /**
     * Looks for causes for which the container would fail, because the engine reports them less clearly or not at all.
     *
     * @throws ContainerLaunchException if something is missing; the message says what to do
     */
    void check() {
        if (!engine.equals("unix")
                || !System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux")) {
            throw missing("the Docker engine must run on this machine, under Linux, to pass on its RDMA devices");
        }
        List<Path> devices = entries("sys/class/infiniband");
        if (devices.isEmpty()) {
            throw missing("this machine has no RDMA device (/sys/class/infiniband is empty)");
        }
        if (!Files.exists(root.resolve("dev/infiniband/rdma_cm"))) {
            throw missing("this machine has no /dev/infiniband/rdma_cm: modprobe rdma_ucm");
        }
        if (entries("dev/infiniband").stream()
                .noneMatch(file -> String.valueOf(file.getFileName()).startsWith("uverbs"))) {
            throw missing("this machine has no /dev/infiniband/uverbs*: modprobe ib_uverbs");
        }
        if (devices.stream().noneMatch(this::hasActivePort)) {
            throw missing("no port of the RDMA devices of this machine is ACTIVE; see rdma link show");
        }
    }

    private static ContainerLaunchException missing(String what) {
        return new ContainerLaunchException(what + INSTEAD);
    }

    private boolean hasActivePort(Path device) {
        return entries(root.relativize(device.resolve("ports")).toString()).stream()
                .map(port -> port.resolve("state"))
                .filter(Files::isReadable)
                .anyMatch(HostDevices::isActive);
    }

    private static boolean isActive(Path state) {
        try {
            return Files.readString(state).contains("ACTIVE");
        } catch (IOException e) {
            return false;
        }
    }

    private List<Path> entries(String directory) {
        Path path = root.resolve(directory);
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds the devices, and permission to lock memory: queues and regions lock memory. */
    void passInto(HostConfig config) {
        List<Device> devices = new ArrayList<>(given(config.getDevices()));
        for (Path file : entries("dev/infiniband")) {
            String name = "/dev/infiniband/" + file.getFileName();
            devices.add(new Device("rwm", name, name));
        }
        List<Ulimit> limits = new ArrayList<>(given(config.getUlimits()));
        limits.removeIf(limit -> MEMLOCK.equals(limit.getName()));
        limits.add(new Ulimit(MEMLOCK, -1L, -1L));
        config.withDevices(devices).withUlimits(limits);
    }

    private static <T> List<T> given(T @org.jspecify.annotations.Nullable [] values) {
        return values == null ? List.of() : Arrays.asList(values);
    }
}
