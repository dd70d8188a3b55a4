// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.turns.Turns;
import io.github.rdma4j.cli.rstream.RstreamCommand;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import picocli.CommandLine;

/** One side of the streams in Java, in a JVM that stays for all turns, so that its code stays compiled. */
final class StreamProgram {
    private StreamProgram() {}

    /**
     * Runs rstream with the arguments of each line of standard input. With the arguments {@code idle}, an address, a port and a number,
     * prints the resident memory without connections and with so many, of which this process has both ends.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 4 && arguments[0].equals("idle")) {
            idle(new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2])), Integer.parseInt(arguments[3]));
            return;
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            int status = new CommandLine(new RstreamCommand()).execute(line.split(" "));
            System.out.println("status " + status);
        }
    }

    private static void idle(InetSocketAddress address, int connections) throws Exception {
        Deque<RsocketChannel> ends = new ArrayDeque<>();
        try (RsocketListener listener = RsocketListener.listen(address, 1, RsocketOptions.DEFAULT)) {
            connect(listener, ends);
            System.out.println("rss 0 " + residentKib());
            for (int i = 0; i < connections; i++) {
                connect(listener, ends);
            }
            System.out.println("rss " + connections + " " + residentKib());
        } finally {
            for (RsocketChannel end : ends) {
                end.close();
            }
        }
    }

    private static void connect(RsocketListener listener, Deque<RsocketChannel> ends) throws Exception {
        ends.push(RsocketChannel.connect(listener.localAddress()));
        ends.push(listener.accept());
    }

    private static long residentKib() throws Exception {
        System.gc();
        return Turns.residentKib();
    }
}
