// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class RuntimeDirectoryTest {
    private static final Path PARENT = Path.of(System.getProperty("java.io.tmpdir"));

    @Test
    void isPrivateAndGoesWithItsContent() throws Exception {
        Path socket;
        try (RuntimeDirectory run = RuntimeDirectory.create()) {
            socket = run.resolve("socket");
            Files.createFile(socket);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
                    .isEqualTo("rwx------");
        }
        assertThat(socket.getParent()).doesNotExist();
    }

    @Test
    void sweepsAwayWhatADeadLauncherLeft() throws Exception {
        // Process 1 lives, but did not start at this time: the owner was another of that number.
        Path dead = Files.createTempDirectory(PARENT, "rdma4j-1-12345-");
        Path foreign = Files.createTempDirectory(PARENT, "rdma4j-other-");
        try (RuntimeDirectory first = RuntimeDirectory.create();
                RuntimeDirectory second = RuntimeDirectory.create()) {
            assertThat(dead).doesNotExist();
            assertThat(foreign).exists();
            assertThat(first.resolve("x").getParent()).exists();
            assertThat(second.resolve("x").getParent()).exists();
        } finally {
            Files.delete(foreign);
        }
    }
}
