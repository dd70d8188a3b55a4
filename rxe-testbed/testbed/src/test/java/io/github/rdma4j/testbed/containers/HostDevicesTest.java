// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Device;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Ulimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.ContainerLaunchException;

/** The messages about what a machine lacks, and what a container is given; whether devices work there is not shown here. */
class HostDevicesTest {
    @TempDir
    private Path root;

    private void missing(String what) {
        assertThatThrownBy(() -> new HostDevices(root, "unix").check())
                .isInstanceOf(ContainerLaunchException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("without withHostDevices()");
    }

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void theFirstThingThatIsMissingIsNamedWithItsRemedy() throws IOException {
        missing("no RDMA device");
        file("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
        missing("modprobe rdma_ucm");
        file("dev/infiniband/rdma_cm", "");
        missing("modprobe ib_uverbs");
        file("dev/infiniband/uverbs0", "");
        missing("ACTIVE");
        file("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE\n");

        assertThatCode(() -> new HostDevices(root, "unix").check()).doesNotThrowAnyException();
        assertThatThrownBy(() -> new HostDevices(root, "tcp").check()).hasMessageContaining("must run on this machine");
    }

    @Test
    void theContainerGetsAllDeviceFilesAndMayLockMemory() throws IOException {
        file("dev/infiniband/rdma_cm", "");
        file("dev/infiniband/uverbs0", "");
        HostConfig config = new HostConfig().withUlimits(new Ulimit[] {new Ulimit("memlock", 1L, 1L)});

        new HostDevices(root, "unix").passInto(config);

        assertThat(Arrays.stream(config.getDevices()).map(Device::getPathInContainer))
                .containsExactly("/dev/infiniband/rdma_cm", "/dev/infiniband/uverbs0");
        assertThat(config.getUlimits())
                .singleElement()
                .satisfies(limit -> assertThat(limit.getSoftLong()).isEqualTo(-1L));
    }
}
