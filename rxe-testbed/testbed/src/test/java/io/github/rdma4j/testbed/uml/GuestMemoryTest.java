// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.uml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.TestbedException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuestMemoryTest {
    private static final List<String> MOUNTS = List.of(
            "/dev/vda / ext4 rw,relatime 0 0",
            "tmpfs /dev/shm tmpfs rw,nosuid,nodev,noexec,size=65536k 0 0",
            "tmpfs /with\\040space tmpfs rw,noexec 0 0",
            "tmpfs /twice tmpfs rw,noexec 0 0",
            "tmpfs /twice tmpfs rw 0 0");

    @Test
    void theMountWithTheLongestPathDecidesWhetherProgramsMayRun() {
        assertThat(UmlHypervisor.isNoExecution(Path.of("/dev/shm"), MOUNTS)).isTrue();
        assertThat(UmlHypervisor.isNoExecution(Path.of("/dev/shm/below"), MOUNTS))
                .isTrue();
        assertThat(UmlHypervisor.isNoExecution(Path.of("/dev/shmem"), MOUNTS)).isFalse();
        assertThat(UmlHypervisor.isNoExecution(Path.of("/with space"), MOUNTS)).isTrue();
        assertThat(UmlHypervisor.isNoExecution(Path.of("/twice"), MOUNTS)).isFalse();
        assertThat(UmlHypervisor.isNoExecution(Path.of("/tmp"), MOUNTS)).isFalse();
    }

    @Test
    void theFirstUsableDirectoryIsTaken(@TempDir Path first, @TempDir Path second) throws Exception {
        Path none = first.resolve("none");
        assertThat(UmlHypervisor.choose(List.of(none, first, second), 1, List.of("x / ext4 rw 0 0")))
                .isEqualTo(first);
        List<String> noExecution = List.of("x / ext4 rw 0 0", "y " + first.toRealPath() + " tmpfs rw,noexec 0 0");
        assertThat(UmlHypervisor.choose(List.of(first, second), 1, noExecution)).isEqualTo(second);
    }

    @Test
    void withoutAnyItSaysWhatIsWrongWithEach(@TempDir Path directory) throws Exception {
        List<String> mounts = List.of("x / ext4 rw 0 0", "y " + directory.toRealPath() + " tmpfs rw,noexec 0 0");
        Path none = directory.resolve("none");
        assertThatThrownBy(() -> UmlHypervisor.choose(List.of(none, directory), 3072, mounts))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("no place for the guest's memory of 3072 MiB")
                .hasMessageContaining(none + " cannot be written")
                .hasMessageContaining(directory + " is mounted noexec")
                .hasMessageContaining("--memory");
        assertThatThrownBy(
                        () -> UmlHypervisor.choose(List.of(directory), Integer.MAX_VALUE, List.of("x / ext4 rw 0 0")))
                .hasMessageContaining("MiB left");
    }
}
