// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import io.github.rdma4j.support.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The other guest, and the Ethernet between it and this one. */
final class SecondNode {
    static final String ADDRESS = "10.77.0.2";
    private static final String NETDEV = "eth0";
    private static final Path COUNTERS = Path.of("/sys/class/infiniband/rxe0/ports/1/hw_counters");

    private SecondNode() {}

    /** Starts a program there. */
    static Program start(List<String> command) {
        List<String> whole = new ArrayList<>(List.of("testbed-node", "2", "--"));
        whole.addAll(command);
        return Program.start(whole);
    }

    /** From now on the frames of both nodes suffer {@code netem}, as tc-netem(8) has it. */
    static void disturb(String netem) throws InterruptedException {
        List<String> words = Arrays.asList(netem.split(" "));
        onBoth("replace", words);
    }

    /** Frames arrive as they were sent. */
    static void calm() throws InterruptedException {
        onBoth("del", List.of());
    }

    private static void onBoth(String change, List<String> netem) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("tc", "qdisc", change, "dev", NETDEV, "root"));
        if (!netem.isEmpty()) {
            command.add("netem");
            command.addAll(netem);
        }
        try (Program there = start(command)) {
            there.success();
        }
        // Last: what arrives there, the other node can answer.
        Program.run(command.toArray(String[]::new));
    }

    /** How often the nodes saw a gap or a repetition in what came from the other, or sent something again. */
    static long disorder() throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("cat"));
        for (String name : List.of("duplicate_request", "out_of_seq_request", "rcvd_seq_err", "completer_retry_err")) {
            command.add(COUNTERS.resolve(name).toString());
        }
        String here = Program.run(command.toArray(String[]::new));
        try (Program there = start(command)) {
            return (here + there.success()).lines().mapToLong(Long::parseLong).sum();
        }
    }
}
