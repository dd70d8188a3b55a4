// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeDirectoryTest {
    @TempDir
    Path temporary;

    private Path own() throws IOException {
        return temporary.resolve("rdma4j-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    @Test
    void isPrivateAndGoesWithItsContent() throws Exception {
        Path directory;
        try (RuntimeDirectory run = RuntimeDirectory.createIn(temporary)) {
            directory = run.path();
            Files.createFile(run.resolve("socket"));
            for (Path each : List.of(directory, own())) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .isEqualTo("rwx------");
            }
        }
        assertThat(directory).doesNotExist();
    }

    @Test
    void removesFilesOfAKilledLauncherOnly() throws Exception {
        try (RuntimeDirectoryHolder killed = RuntimeDirectoryHolder.start(temporary);
                RuntimeDirectoryHolder living = RuntimeDirectoryHolder.start(temporary);
                RuntimeDirectory ours = RuntimeDirectory.createIn(temporary)) {
            Path other = Files.createDirectory(killed.directory().resolveSibling("other"));
            killed.kill();
            assertThat(killed.directory()).isNotEmptyDirectory();

            RuntimeDirectory.createIn(temporary).close();

            assertThat(killed.directory()).doesNotExist();
            assertThat(living.directory()).isNotEmptyDirectory();
            assertThat(ours.resolve("lock")).exists();
            assertThat(other).exists();
        }
    }

    @Test
    void removesADirectoryThatWasNotLockedYet() throws Exception {
        RuntimeDirectory.createIn(temporary).close();
        Path unlocked = Files.createDirectory(own().resolve("run-1"));

        RuntimeDirectory.createIn(temporary).close();

        assertThat(unlocked).doesNotExist();
    }

    @Test
    void aDirectoryOfTheNameThatOthersMayWriteToIsLeftAlone() throws Exception {
        RuntimeDirectory.createIn(temporary).close();
        Files.setPosixFilePermissions(own(), PosixFilePermissions.fromString("rwxrwxrwx"));
        Path trap = Files.createDirectory(own().resolve("run-1"));

        try (RuntimeDirectory run = RuntimeDirectory.createIn(temporary)) {
            assertThat(run.path()).hasParent(temporary);
        }

        assertThat(trap).exists();
    }

    @Test
    void aLinkOfTheNameIsNotFollowed() throws Exception {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Path kept = Files.createDirectory(elsewhere.resolve("run-1"));
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(own(), elsewhere);

        try (RuntimeDirectory run = RuntimeDirectory.createIn(temporary)) {
            assertThat(run.path()).hasParent(temporary);
        }

        assertThat(kept).exists();
    }

    @Test
    void aFullFileSystemIsNamed() {
        assertThat(RuntimeDirectory.problem(new IOException("No space left on device")))
                .contains("No space left on device: make room in ", "java.io.tmpdir");
        assertThat(RuntimeDirectory.problem(new IOException("Permission denied")))
                .isEqualTo("Permission denied");
    }
}
