// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.utility.MountableFile;

/** A guest in a container without privileges, capabilities, devices and network. */
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SoftRoceContainerIT {
    private static SoftRoceContainer container;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        OwnEngine.require();
        container = SoftRoceContainer.ofThisMachine()
                .withGuestMemory(512)
                .withCreateContainerCmdModifier(
                        command -> hostConfig(command.getHostConfig()).withCapDrop(Capability.ALL));
        container.start();
    }

    private static HostConfig hostConfig(HostConfig config) {
        return Objects.requireNonNull(config);
    }

    @AfterAll
    static void stop() {
        container.close();
    }

    @Test
    void theDeviceIsActiveAndTheContainerHasNoNetwork() throws Exception {
        ExecResult links = container.execInGuest("rdma", "link", "show");

        assertThat(links.getStdout()).contains("rxe0/1 state ACTIVE");
        assertThat(links.getExitCode()).isZero();
        assertThat(container.getNetworkMode()).isEqualTo("none");
        assertThat(container.execInGuest("uname", "-r").getStdout())
                .isNotEqualTo(container.execInContainer("uname", "-r").getStdout());
        assertThat(container.getGuestKernelLog()).contains("Linux version");
    }

    @Test
    void streamsStatusAndSignalsOfACommandComeBack() throws Exception {
        ExecResult result =
                container.execInGuest("sh", "-c", "echo \"$1\"; echo complaint >&2; exit 7", "sh", "it's  \"so\" ");

        assertThat(result.getStdout()).isEqualTo("it's  \"so\" \n");
        assertThat(result.getStderr()).isEqualTo("complaint\n");
        assertThat(result.getExitCode()).isEqualTo(7);
        assertThat(container.execInGuest("sh", "-c", "kill -TERM $$").getExitCode())
                .isEqualTo(128 + 15);
        assertThat(container.execInGuest("no-such-program").getExitCode()).isEqualTo(127);
    }

    @Test
    void filesGoIntoTheGuestAndOut() throws Exception {
        byte[] content = new byte[1 << 20];
        new java.util.Random(1).nextBytes(content);
        Path file = Files.write(directory.resolve("in"), content);

        container.copyFileToGuest(MountableFile.forHostPath(file, 0640), "/tmp/a directory/it's there");
        container.copyFileFromGuest(
                "/tmp/a directory/it's there", directory.resolve("out").toString());

        assertThat(directory.resolve("out")).hasBinaryContent(content);
        assertThat(container.execInContainer("test", "-e", "/tmp/a directory").getExitCode())
                .isEqualTo(1);
        assertThatThrownBy(() -> container.copyFileFromGuest(
                        "/no/such", directory.resolve("no").toString()))
                .hasMessageContaining("/no/such");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void thePanicOfAGuestEndsItsContainerAndIsNamed() {
        assertThatThrownBy(() -> container.execInGuest("sh", "-c", "echo c > /proc/sysrq-trigger"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("sysrq");
    }
}
