// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.instant.InstantKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each benchmark does what its name says. Nothing is timed here. */
class BenchmarksTest {
    @Test
    void polls() throws RdmaException {
        Polling polling = new Polling();
        polling.fill();
        assertThat(polling.empty()).isZero();
        // The ring has 128 slots, and the next one was written first.
        assertThat(polling.single()).isZero();
        assertThat(polling.sixteen()).isEqualTo(16);
        polling.close();
    }

    @Test
    void posts() throws RdmaException {
        Posting posting = new Posting();
        posting.connect();
        for (int i = 0; i < 1000; i++) {
            posting.send();
            posting.rdmaWrite();
            posting.inline();
            assertThat(posting.chain()).isEqualTo(16);
        }
        posting.close();
    }

    @ParameterizedTest
    @EnumSource
    void postsAndPollsOnTheRingsOfADevice(PaceDevice device) throws RdmaException {
        ProviderPace pace = new ProviderPace();
        ProviderPace.Drained drained = new ProviderPace.Drained(device);
        ProviderPace.DrainedInline drainedInline = new ProviderPace.DrainedInline(device);
        ProviderPace.Filled filled = new ProviderPace.Filled(device);
        // More blocks than a counter has numbers, and more entries than the completion queues.
        for (int i = 0; i < 100; i++) {
            pace.post(drained);
            drained.completeAndDrain();
            pace.postSixteen(drained);
            drained.completeAndDrain();
            pace.postInline(drainedInline);
            drainedInline.completeAndDrain();
            filled.postAndComplete();
            pace.poll(filled);
            filled.postAndComplete();
            pace.pollSixteen(filled);
            pace.pollEmpty(filled);
        }
        drained.close();
        drainedInline.close();
        filled.close();
    }

    @ParameterizedTest
    @EnumSource
    void postingAndPollingAllocateNothing(PaceDevice device) throws RdmaException {
        assertThat(PaceAllocations.bytesAnOperation(device)).isZero();
    }

    @Test
    void sendsCommands() throws RdmaException {
        Commands commands = new Commands();
        commands.setOption();
        commands.createAndClose();
        assertThat(commands.encodeConnect().get(271)).isEqualTo((byte) 1);
        commands.close();
    }

    @Test
    void closesTheDescriptorsOfTheKernelThatAnswersAtOnce() {
        InstantKernel kernel = new InstantKernel(3);
        int fd = kernel.eventfd();
        assertThat(kernel.isOpen(fd)).isTrue();
        kernel.close(fd);
        assertThat(kernel.isOpen(fd)).isFalse();
    }
}
