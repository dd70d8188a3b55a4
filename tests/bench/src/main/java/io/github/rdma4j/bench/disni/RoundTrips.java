// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.disni;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import io.github.rdma4j.bench.turns.Turns;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Round trips of a message of 64 bytes between endpoints of DiSNI's active group, whose thread sleeps until a completion comes and gives
 * it to the thread that waits for it, as in DiSNI's own benchmarks.
 */
public final class RoundTrips {
    /** The name of the figure, in microseconds. */
    public static final String FIGURE = "disni_blocked_64";

    private static final int TIMEOUT_MILLIS = 1000;
    private static final int REQUESTS = 16;
    private static final int PIECES = 4;
    private static final int BACKLOG = 4;
    private static final byte RETRIES = 6;
    private static final double NANOS_PER_MICRO = 1000;

    private RoundTrips() {}

    /** Arguments: {@code server} or {@code client}, address, port. */
    public static void main(String[] arguments) throws Exception {
        Turns.endOnFailure();
        InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        if (arguments[0].equals("server")) {
            serve(address);
        } else {
            EchoEndpoint endpoint = group().createEndpoint();
            endpoint.connect(address, TIMEOUT_MILLIS);
            Turns.serve((turns, iterations) -> turns.figure(FIGURE, micros(endpoint, iterations)));
        }
        System.exit(0);
    }

    private static RdmaActiveEndpointGroup<EchoEndpoint> group() throws IOException {
        RdmaActiveEndpointGroup<EchoEndpoint> group =
                new RdmaActiveEndpointGroup<>(TIMEOUT_MILLIS, false, REQUESTS, PIECES, 2 * REQUESTS);
        // Without retries, one lost packet would end the connection.
        group.getConnParam().setRetry_count(RETRIES);
        group.getConnParam().setRnr_retry_count(RETRIES);
        group.init((id, serverSide) -> new EchoEndpoint(group, id, serverSide));
        return group;
    }

    private static void serve(InetSocketAddress address) throws Exception {
        RdmaServerEndpoint<EchoEndpoint> listener = group().createServerEndpoint();
        listener.bind(address, BACKLOG);
        System.out.println("serving");
        listener.accept().answerForEver();
    }

    private static double micros(EchoEndpoint endpoint, int iterations) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            endpoint.call(i);
        }
        return (System.nanoTime() - start) / NANOS_PER_MICRO / iterations;
    }
}
