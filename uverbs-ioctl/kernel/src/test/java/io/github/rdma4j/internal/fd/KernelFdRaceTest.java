// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Background;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads use a descriptor for as long as they can while it is closed and its number given to another file. That other
 * file is an eventfd with one signal in it: whoever still used the old number would take the signal away.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelFdRaceTest {
    private static final int CLOSES = 20_000;
    private static final int USERS = 2;

    private final Kernel kernel = Kernel.running();
    private final Syscalls syscalls = LinuxKernel.of(kernel).syscalls();
    private final AtomicBoolean stop = new AtomicBoolean();
    private volatile KernelFd current = open();

    @Test
    void neverUsesTheNumberOfAnotherFile() {
        List<Future<Long>> users = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            users.add(Background.start(this::use));
        }
        int stolen = 0;
        for (int i = 0; i < CLOSES; i++) {
            KernelFd victim = current;
            int number = victim.use(lent -> lent);
            victim.close();
            int canary = openAs(number);
            syscalls.eventfdSignal(canary);
            current = open();
            stolen += syscalls.eventfdDrain(canary) == 0 ? 0 : 1;
            syscalls.close(canary);
        }
        stop.set(true);
        assertThat(users).allSatisfy(user -> assertThat(user.get()).isPositive());
        current.close();
        assertThat(stolen).as("signals of another file taken").isZero();
    }

    /** Another file with that number, as soon as the last call that has it in use has returned. */
    private int openAs(int number) {
        List<Integer> others = new ArrayList<>();
        int fd = syscalls.eventfd();
        while (fd != number) {
            if (fd < number) {
                others.add(fd);
            } else {
                syscalls.close(fd);
            }
            fd = syscalls.eventfd();
        }
        others.forEach(syscalls::close);
        return fd;
    }

    private KernelFd open() {
        return KernelFd.adopt(kernel, syscalls.eventfd(), "eventfd");
    }

    /** Leaves time between getting the number and using it. */
    private int drainSlowly(int number) {
        for (int i = 0; i < 200; i++) {
            Thread.onSpinWait();
        }
        return syscalls.eventfdDrain(number);
    }

    private long use() {
        long uses = 0;
        while (!stop.get()) {
            KernelFd fd = current;
            try {
                while (!stop.get()) {
                    fd.use(this::drainSlowly);
                    uses++;
                }
            } catch (IllegalStateException closed) {
                // The next one, then.
            }
        }
        return uses;
    }
}
