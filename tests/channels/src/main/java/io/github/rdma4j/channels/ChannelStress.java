// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.testbed.TestbedMain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** {@code ./rdma4j stress channels}: boots a guest and runs random programs there, over TCP and over RDMA. */
public final class ChannelStress {
    private static final int WRONG_USAGE = 2;

    private ChannelStress() {}

    /** Runs the command. */
    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments));
    }

    /** Runs the command; returns its status. */
    static int run(String... arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(
                    List.of(arguments), ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        } catch (IllegalArgumentException e) {
            System.err.println("stress channels: " + e.getMessage() + "; see ./rdma4j stress channels --help");
            return WRONG_USAGE;
        }
        return options.isInside() ? new Rounds(options, System.out).run() : boot(options);
    }

    private static int boot(Options options) {
        List<String> jvm = new ArrayList<>(GuestRun.SHORT_LIVED);
        if (options.noise() > 0) {
            jvm.add("-javaagent:" + jar());
        }
        List<String> command = GuestRun.commandLine(ChannelStress.class.getName(), jvm, options.inside());
        List<String> run =
                new ArrayList<>(List.of("run", "--parallel", "--timeout", Long.toString(options.limitSeconds())));
        run.addAll(List.of("--nodes", Integer.toString(options.nodes())));
        run.addAll(options.testbed());
        run.add("--");
        run.addAll(command);
        return TestbedMain.run(run);
    }

    /** The jar of this class, which is the agent too. */
    public static String jar() {
        return ChannelStress.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }
}
