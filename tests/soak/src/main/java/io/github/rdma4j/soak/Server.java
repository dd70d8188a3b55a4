// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.host.Ports;
import java.util.List;
import java.util.Random;

/** A server that connections can be made to, with the process that it is in. */
enum Server {
    PING("ping", Ports.PING, "ping"),
    LOOP_ECHO("loop echo", Ports.LOOP_ECHO, "echo"),
    BLOCKING_ECHO("blocking echo", Ports.BLOCKING_ECHO, "echo"),
    POOLED_ECHO("pooled echo", Ports.POOLED_ECHO, "pools"),
    SELECTED_ECHO("selected echo", Ports.SELECTED_ECHO, "pools"),
    STREAM_ECHO("stream echo", Ports.STREAM_ECHO, "streams"),
    NIO_ECHO("nio echo", Ports.NIO_ECHO, "streams"),
    NETTY_ECHO("netty echo", Ports.NETTY_ECHO, "streams"),
    CMATOSE("cmatose", Ports.CMATOSE, "transfer");

    private static final List<Server> FOR_MANY = List.of(PING, LOOP_ECHO, BLOCKING_ECHO, POOLED_ECHO, SELECTED_ECHO);

    private final String title;
    private final int port;
    private final String process;

    Server(String title, int port, String process) {
        this.title = title;
        this.port = port;
        this.process = process;
    }

    int port() {
        return port;
    }

    /** The name of the process that it is in. */
    String process() {
        return process;
    }

    static Server any(Random random) {
        return values()[random.nextInt(values().length)];
    }

    /** Not cmatose, which serves one client at a time and has every right to end with it. */
    static Server forMany(Random random) {
        return FOR_MANY.get(random.nextInt(FOR_MANY.size()));
    }

    @Override
    public String toString() {
        return title;
    }
}
