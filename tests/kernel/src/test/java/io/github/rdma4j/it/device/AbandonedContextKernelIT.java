// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.DeviceContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Contexts that nobody closes: when they are garbage their descriptors go. */
@RequiresKernel
class AbandonedContextKernelIT {
    private static long infinibandDescriptors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(AbandonedContextKernelIT::isInfiniband).count();
        }
    }

    private static boolean isInfiniband(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("infiniband");
        } catch (NoSuchFileException closedMeanwhile) {
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void abandon(int contexts) throws RdmaException {
        for (int i = 0; i < contexts; i++) {
            DeviceContext context = DeviceContext.open(Rxe.DEVICE);
            context.createCq(4, 0, context.createCompletionChannel());
            context.createCompletionChannel();
        }
    }

    @Test
    void leavesNoCompletionChannelOpen() throws Exception {
        long before = infinibandDescriptors();
        abandon(5);
        assertThat(infinibandDescriptors()).isEqualTo(before + 5 * 4);
        Await.until("the descriptors are closed", () -> {
            System.gc();
            try {
                return infinibandDescriptors() <= before;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }
}
