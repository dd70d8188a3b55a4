// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A process under test: some servers, and the agent that the run asks about them. */
public final class HostMain {
    private HostMain() {}

    /**
     * Runs the service that the first argument names, at the address in the second argument, until standard input ends.
     */
    public static void main(String[] arguments) throws Exception {
        Violations violations = new Violations();
        List<Service> services = new ArrayList<>();
        String address = arguments[1];
        switch (arguments[0]) {
            case "ping" ->
                services.add(CommandService.endless(
                        "ping", PingCommand::new, List.of("--server", "-p", Integer.toString(Ports.PING)), violations));
            case "echo" -> {
                services.add(new LoopEchoService(Ports.LOOP_ECHO, violations));
                services.add(new BlockingEchoService(new InetSocketAddress(address, Ports.BLOCKING_ECHO), violations));
            }
            case "pools" -> {
                services.add(new PooledEchoService(Ports.POOLED_ECHO, violations));
                services.add(new SelectedEchoService(Ports.SELECTED_ECHO, violations));
            }
            case "streams" -> {
                services.add(new StreamEchoService(new InetSocketAddress(address, Ports.STREAM_ECHO)));
                services.add(new NioEchoService(new InetSocketAddress(address, Ports.NIO_ECHO)));
                services.add(new NettyEchoService(new InetSocketAddress(address, Ports.NETTY_ECHO), violations));
            }
            case "transfer" -> {
                services.add(CommandService.repeated(
                        "cmatose", CmatoseCommand::new, List.of("-p", Integer.toString(Ports.CMATOSE))));
                services.add(CommandService.repeated("udaddy", UdaddyCommand::new, List.of()));
                services.add(CommandService.repeated(
                        "mckey", MckeyCommand::new, List.of("-m", Ports.GROUP, "-b", address, "-w", "5")));
            }
            case "sm" -> services.add(new SmService());
            default -> throw new IllegalArgumentException("no servers are called " + arguments[0]);
        }
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught(thread, failure, violations));
        for (Service service : services) {
            service.start();
        }
        new Agent(violations, services).run();
        System.exit(0);
    }

    /** Network errors and lack of direct memory or threads may end a connection's thread; any other cause is a defect. */
    private static void uncaught(Thread thread, Throwable failure, Violations violations) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        String text = "uncaught in " + thread.getName() + ": " + trace;
        System.out.println(text);
        if (!(failure instanceof IOException) && !(failure instanceof OutOfMemoryError)) {
            violations.add(text);
        }
    }
}
