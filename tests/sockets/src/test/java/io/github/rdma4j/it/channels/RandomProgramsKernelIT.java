// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.channels;

import io.github.rdma4j.channels.ChannelStress;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random programs see the same over TCP and over RDMA; {@code ./rdma4j stress channels} runs more of them. */
@RequiresKernel
class RandomProgramsKernelIT {
    private static final String PROGRAMS = "5";
    private static final Duration LIMIT = Duration.ofSeconds(110);

    @Test
    void showNoDifference() throws InterruptedException {
        run("--programs", PROGRAMS);
    }

    @Test
    void ofPlainSocketsShowNoDifference() throws InterruptedException {
        run("--programs", PROGRAMS, "--kind", "sockets");
    }

    private static void run(String... options) throws InterruptedException {
        long seed = NewSeed.of("RandomProgramsKernelIT");
        List<String> command =
                new ArrayList<>(Program.java(ChannelStress.class, "--inside", "--seed", Long.toString(seed)));
        command.addAll(List.of(options));
        command.add(1, "-javaagent:" + ChannelStress.jar());
        try (Program jvm = Program.start(command)) {
            System.out.println(jvm.success(LIMIT));
        }
    }
}
