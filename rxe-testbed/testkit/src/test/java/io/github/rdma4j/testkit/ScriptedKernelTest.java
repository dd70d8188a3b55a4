// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit;

import static io.github.rdma4j.testkit.ScriptedKernel.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.kernel.Errno;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptedKernelTest {
    private static Syscalls calls(ScriptedKernel script) {
        return LinuxKernel.of(script.kernel(Path.of("nowhere"))).syscalls();
    }

    @Test
    void playsTheCallsInOrder() {
        ScriptedKernel script = new ScriptedKernel()
                .expectOpen("/dev/infiniband/rdma_cm", 7)
                .expectWrite(7, new byte[] {1, 2})
                .expectRead(7, new byte[] {3})
                .expectRead(7, refused(Errno.EAGAIN))
                .expectIoctl(
                        7,
                        0xc0181b01L,
                        address -> ScriptedKernel.memory(address, 2).get(1))
                .expectPoll(List.of(7), 7)
                .expectClose(7);
        Syscalls kernel = calls(script);
        try (CommandArena arena = CommandArena.open()) {
            long address = arena.address(arena.allocate(2));
            arena.buffer().put(0, (byte) 1).put(1, (byte) 2);

            assertThat(kernel.open("/dev/infiniband/rdma_cm", 0)).isEqualTo(7);
            assertThat(kernel.write(7, address, 2)).isEqualTo(2);
            assertThat(kernel.read(7, address, 2)).isEqualTo(1);
            assertThat(arena.buffer().get(0)).isEqualTo((byte) 3);
            assertThat(kernel.read(7, address, 2)).isEqualTo(-11);
            assertThat(kernel.ioctl(7, 0xc0181b01L, address)).isEqualTo(2);
            int[] pollfds = {7, Syscalls.POLLIN};
            assertThat(kernel.poll(pollfds, 0)).isEqualTo(1);
            assertThat(pollfds[1]).isEqualTo(0x10001);
            kernel.close(7);
        }
        script.assertAllConsumed();
    }

    @Test
    void namesBothCallsOnAMismatch() {
        ScriptedKernel script = new ScriptedKernel().expectOpen("/dev/a", 3).expectClose(3);
        Syscalls kernel = calls(script);
        kernel.open("/dev/a", 0);
        assertThatThrownBy(() -> kernel.close(4))
                .isInstanceOf(AssertionError.class)
                .hasMessage("call 2: expected close(3) but the code made close(4)");
        assertThatThrownBy(script::assertAllConsumed).hasMessageContaining("expected close(3)");
    }

    @Test
    void failsACallAfterTheEndOfTheScript() {
        ScriptedKernel script = new ScriptedKernel();
        Syscalls kernel = calls(script);
        assertThatThrownBy(() -> kernel.close(4)).hasMessage("call 1 after the end of the script: close(4)");
    }

    @Test
    void failsAtTheEndWhenACallIsMissing() {
        ScriptedKernel script = new ScriptedKernel().expectClose(3).expectClose(4);
        assertThatThrownBy(script::assertAllConsumed)
                .hasMessage("expected calls that the code did not make: close(3), close(4)");
    }

    @Test
    void remembersAnAssertionOfAHandler() {
        ScriptedKernel script = new ScriptedKernel().expectWrite(3, new byte[] {1});
        Syscalls kernel = calls(script);
        try (CommandArena arena = CommandArena.open()) {
            long address = arena.address(arena.allocate(1));
            assertThatThrownBy(() -> kernel.write(3, address, 1)).hasMessage("write(3): expected 01 but got 00");
        }
        assertThatThrownBy(script::assertAllConsumed).hasMessageContaining("expected 01");
    }

    @Test
    void mapsRealMemoryThatRetiresToZeros() {
        ScriptedKernel script =
                new ScriptedKernel().expectMmap(5, 0x1000, 8192, memory -> memory.putInt(128, 0x01020304));
        Syscalls kernel = calls(script);
        long address = kernel.mmap(0, 8192, Syscalls.PROT_READ, Syscalls.MAP_SHARED, 5, 0x1000);
        assertThat(address % 4096).isZero();
        assertThat(ScriptedKernel.memory(address, 8192).getInt(128)).isEqualTo(0x01020304);
        assertThat(script.liveMappings()).isEqualTo(1);
        kernel.mmap(address, 8192, Syscalls.PROT_READ, Syscalls.MAP_FIXED | Syscalls.MAP_ANONYMOUS, -1, 0);
        assertThat(ScriptedKernel.memory(address, 8192).getInt(128)).isZero();
        assertThat(script.liveMappings()).isZero();
    }
}
