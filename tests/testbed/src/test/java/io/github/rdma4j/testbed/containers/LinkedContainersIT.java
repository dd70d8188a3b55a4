// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.command.BuildImageResultCallback;
import io.github.rdma4j.testbed.Testbed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.lifecycle.Startables;

/** Two containers as two nodes, and containers that cannot start or end too early. */
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinkedContainersIT {
    private static final String UNTIL_CONNECTED = "until rping -c -C 3 -v -a \"$1\" 2>/dev/null; do sleep 0.1; done";

    @BeforeAll
    static void anEngineRuns() {
        OwnEngine.require();
    }

    @Test
    void theGuestsOfTwoContainersReachEachOther() throws Exception {
        try (SoftRoceLink link = SoftRoceLink.create();
                SoftRoceContainer client = node(1, link);
                SoftRoceContainer server = node(2, link)) {
            Startables.deepStart(client, server).join();

            var served = server.startInGuest("rping", "-s", "-C", "3", "-P", "-a", server.getGuestAddress());
            ExecResult result = client.execInGuest("sh", "-c", UNTIL_CONNECTED, "sh", server.getGuestAddress());

            assertThat(result.getStdout()).contains("ping data: rdma-ping-2");
            assertThat(result.getExitCode()).isZero();
            assertThat(client.execInGuest("cat", "/sys/class/net/eth0/address").getStdout())
                    .isNotEqualTo(server.execInGuest("cat", "/sys/class/net/eth0/address")
                            .getStdout());

            DockerClientFactory.lazyClient()
                    .killContainerCmd(server.getContainerId())
                    .exec();

            assertThatThrownBy(served::get).hasCauseInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> server.execInGuest("true")).isInstanceOf(IllegalStateException.class);
            assertThat(client.execInGuest("true").getExitCode()).isZero();
        }
    }

    @Test
    void theGuestsOfTwoContainersAreOneFabric() throws Exception {
        try (SoftRoceLink link = SoftRoceLink.create();
                SoftRoceContainer manager = infiniBand(1, link);
                SoftRoceContainer other = infiniBand(2, link)) {
            Startables.deepStart(manager, other).join();

            assertThat(other.execInGuest("ibnetdiscover").getStdout()).contains("node1 softib0", "node2 softib0");
        }
    }

    private static SoftRoceContainer infiniBand(int number, SoftRoceLink link) throws Exception {
        return SoftRoceContainer.ofThisMachine(Testbed.Device.IB)
                .withGuestMemory(512)
                .withNode(number, link);
    }

    private static SoftRoceContainer node(int number, SoftRoceLink link) throws Exception {
        return SoftRoceContainer.ofThisMachine().withGuestMemory(512).withNode(number, link);
    }

    @Test
    void anImageWithoutTheTestbedIsNamedAsSuch() throws Exception {
        String image = "rdma4j/nothing:1";
        String unused = DockerClientFactory.lazyClient()
                .buildImageCmd(new ByteArrayInputStream(context("FROM scratch\nADD Dockerfile /\n")))
                .withTags(Set.of(image))
                .exec(new BuildImageResultCallback())
                .awaitImageId();
        try (SoftRoceContainer container = new SoftRoceContainer(image).withImagePullPolicy(name -> false)) {
            assertThatThrownBy(container::start)
                    .isInstanceOf(ContainerLaunchException.class)
                    .hasMessageContaining("the image " + image + " has no testbed")
                    .hasMessageContaining("rxe-testbed/testbed/docker/Dockerfile");
        }
    }

    private static byte[] context(String dockerfile) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            byte[] content = dockerfile.getBytes(StandardCharsets.US_ASCII);
            TarArchiveEntry entry = new TarArchiveEntry("Dockerfile");
            entry.setSize(content.length);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    @Test
    void aContainerWhoseGuestCannotStartSaysWhy() throws Exception {
        try (SoftRoceContainer container = SoftRoceContainer.ofThisMachine().withEnv("RDMA4J_CACHE", "/proc/none")) {
            assertThatThrownBy(container::start)
                    .isInstanceOf(ContainerLaunchException.class)
                    .hasStackTraceContaining("/proc/none");
        }
    }
}
