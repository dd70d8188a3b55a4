// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.testbed.TestbedMain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** {@code ./rdma4j stress channels}: boots a guest and runs random programs there, over TCP and over RDMA. */
public final class ChannelStress {
    private static final String USAGE = """
            usage: ./rdma4j stress channels [--minutes N | --programs N] [--seed S] [--kind nio|exit|netty]... [--nodes 2]
                                            [--on uml|vm|host] [--cpus N] [--noise N] [--address IP]
            Runs random programs over channels of NIO and of Netty in a guest: with the JDK's and Netty's own channels over TCP, and with
            ours over RDMA. All that the programs see has to be the same. 5 minutes unless given. Each kind of difference is told once.
              --seed S      begins with the program of that seed; threads may meet otherwise
              --kind KIND   only programs with channels of NIO, with JVMs that end, or with Netty
              --nodes 2     JVMs that end do so in a second guest, behind a slow network
              --on, --cpus  see ./rdma4j testbed run --help
              --noise N     one in N calls of a method of rdma4j pauses, so that threads meet that seldom meet (30); 0 for none
              --address IP  of the RDMA device where the programs run (10.77.0.1)
            status: 0, 1 for a difference, 2 for a wrong option""";

    private static final int WRONG_USAGE = 2;

    private ChannelStress() {}

    /** Runs the command. */
    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments));
    }

    /** Runs the command; returns its status. */
    static int run(String... arguments) throws Exception {
        if (List.of(arguments).contains("--help")) {
            System.out.println(USAGE);
            return 0;
        }
        Options options;
        try {
            options = Options.parse(
                    List.of(arguments), ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        } catch (IllegalArgumentException e) {
            System.err.println("stress channels: " + e.getMessage() + "\n" + USAGE);
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
