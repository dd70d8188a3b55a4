// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.util.List;

/** Where the servers of a run listen; udaddy has a port that cannot be chosen. */
public final class Ports {
    public static final int PING = 7201;
    public static final int LOOP_ECHO = 7202;
    public static final int BLOCKING_ECHO = 7203;
    public static final int CMATOSE = 7204;
    public static final int POOLED_ECHO = 7205;
    public static final int SELECTED_ECHO = 7206;
    public static final int STREAM_ECHO = 7207;
    public static final int NIO_ECHO = 7208;
    public static final int NETTY_ECHO = 7209;

    /** The multicast group of the receiver. */
    public static final String GROUP = "239.77.7.7";

    /** What a client of C's rstream does with an echo server of streams, which sends back each transfer as rstream's server would. */
    public static final List<String> RSTREAM =
            List.of("rstream", "-S", "5000", "-C", "1", "-I", "10", "-T", "v", "-T", "b");

    private Ports() {}
}
