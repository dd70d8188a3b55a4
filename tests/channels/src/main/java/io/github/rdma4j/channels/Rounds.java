// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import io.github.rdma4j.channels.netty.NettyProgram;
import io.github.rdma4j.channels.netty.Wire;
import io.github.rdma4j.channels.nio.ExitProgram;
import io.github.rdma4j.channels.nio.NioProgram;
import io.github.rdma4j.channels.nio.Transport;
import io.github.rdma4j.channels.noise.Noise;
import io.github.rdma4j.channels.sockets.Ends;
import io.github.rdma4j.channels.sockets.SocketProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Runs one random program after another. */
final class Rounds {
    /** As often as they stand here: a JVM takes long to start. */
    private static final List<String> KINDS =
            List.of("nio", "nio", "nio", "sockets", "sockets", "netty", "netty", "netty", "exit");

    private static final List<String> SECOND = List.of("testbed-node", "2", "--");
    private static final String DELAY = "100ms";
    private static final int NOISES = 5;

    private final Options options;
    private final PrintStream out;
    private final Comparison<Transport> nio;
    private final Comparison<Wire> netty;
    private final Comparison<Ends> sockets;
    private final Set<String> kinds = new HashSet<>();
    private final long start = System.nanoTime();
    private long leftOut;

    Rounds(Options options, PrintStream out) throws IOException {
        this.options = options;
        this.out = out;
        InetAddress host = InetAddress.getByName(options.address());
        netty = new Comparison<>(Wire.tcp(host), Wire.rdma(host));
        sockets = new Comparison<>(Ends.tcp(host), List.of(Ends.rdma(host)));
        List<String> elsewhere = options.nodes() > 1 ? SECOND : List.of();
        nio = new Comparison<>(Transport.tcp(host, elsewhere), List.of(Transport.rdma(host, elsewhere)));
    }

    private void slowDown() throws IOException, InterruptedException {
        for (List<String> where : List.of(List.<String>of(), SECOND)) {
            List<String> command = new ArrayList<>(where);
            command.addAll(List.of("tc", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", DELAY));
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new IOException(command + " has status " + status);
            }
        }
    }

    /** Returns 1 if there was a difference, otherwise 0. */
    int run() throws IOException, InterruptedException {
        out.println("seed " + options.seed());
        if (options.nodes() > 1) {
            slowDown();
        }
        Random seeds = new Random(options.seed());
        long seed = options.seed();
        long count = 0;
        do {
            count++;
            program(count, seed);
            seed = seeds.nextLong();
        } while (goesOn(count, System.nanoTime() - start));
        out.println(count + " programs in " + seconds() + " s, " + leftOut + " left out for their time, " + kinds.size()
                + " kinds of differences");
        return kinds.isEmpty() ? 0 : 1;
    }

    private long seconds() {
        return Duration.ofNanos(System.nanoTime() - start).toSeconds();
    }

    private boolean goesOn(long count, long nanos) {
        return options.programs() > 0
                ? count < options.programs()
                : nanos < options.minutes() * Duration.ofMinutes(1).toNanos();
    }

    private void program(long number, long seed) throws InterruptedException {
        // Few and many pauses: where they are many, whole programs are slow, and other threads meet.
        Noise.set(seed, options.noise() << Math.floorMod(seed, NOISES));
        List<String> chosen = KINDS.stream().filter(options.kinds()::contains).toList();
        String kind = chosen.get(new Random(~seed).nextInt(chosen.size()));
        String name = "program " + number + ", --kind " + kind + " --seed " + seed + " begins with it";
        Random random = new Random(seed);
        switch (kind) {
            case "exit" -> compare(nio, ExitProgram.draw(random), name);
            case "sockets" -> compare(sockets, SocketProgram.draw(random), name);
            case "netty" -> compare(netty, NettyProgram.draw(random), name);
            default -> compare(nio, NioProgram.draw(random), name);
        }
    }

    /** Tells of the difference, if it is the first of its kind. */
    private <T> void compare(Comparison<T> comparison, Program<T> program, String name) throws InterruptedException {
        Comparison.Verdict verdict = comparison.verdict(program);
        leftOut += verdict.isLeftOut() ? 1 : 0;
        Difference difference = verdict.difference();
        if (difference == null || !kinds.add(difference.kind())) {
            return;
        }
        out.println(name + ", after " + seconds() + " s: " + program + "\n" + difference);
        Map.Entry<Program<T>, Difference> smallest = comparison.shrunk(program, difference);
        if (!smallest.getKey().equals(program)) {
            out.println("Smaller: " + smallest.getKey() + "\n" + smallest.getValue());
        }
    }
}
