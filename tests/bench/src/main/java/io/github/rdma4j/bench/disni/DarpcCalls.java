// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.disni;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCClientGroup;
import com.ibm.darpc.DaRPCFuture;
import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerGroup;
import com.ibm.darpc.DaRPCStream;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import io.github.rdma4j.bench.disni.Increment.Message;
import io.github.rdma4j.bench.turns.Turns;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Calls of DaRPC, one after the other: the client waits for the answer to each call. */
public final class DarpcCalls {
    /** The name of a figure: calls a second where the client waits for the future of the call. */
    public static final String FUTURES = "darpc_future";

    /** The name of a figure: calls a second where the client waits for what comes next in its stream. */
    public static final String STREAM = "darpc_stream";

    private static final int TIMEOUT_MILLIS = 1000;
    private static final int DEPTH = 16;
    private static final int CLUSTER = 32;
    private static final int BACKLOG = 4;
    private static final byte RETRIES = 6;
    private static final double NANOS_PER_SECOND = 1e9;

    private DarpcCalls() {}

    /** Arguments: {@code server} or {@code client}, address, port. */
    public static void main(String[] arguments) throws Exception {
        Turns.endOnFailure();
        InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        if (arguments[0].equals("server")) {
            serve(address);
        } else {
            DaRPCClientGroup<Message, Message> group =
                    DaRPCClientGroup.createClientGroup(new Increment.Protocol(), TIMEOUT_MILLIS, 0, DEPTH, DEPTH);
            setRetries(group);
            DaRPCClientEndpoint<Message, Message> endpoint = group.createEndpoint();
            endpoint.connect(address, TIMEOUT_MILLIS);
            DaRPCStream<Message, Message> stream = endpoint.createStream();
            Turns.serve((turns, iterations) -> {
                turns.figure(FUTURES, perSecond(stream, iterations, false));
                turns.figure(STREAM, perSecond(stream, iterations, true));
            });
        }
        System.exit(0);
    }

    /** Without retries, one lost packet would end the connection. */
    private static void setRetries(RdmaEndpointGroup<?> group) throws IOException {
        group.getConnParam().setRetry_count(RETRIES);
        group.getConnParam().setRnr_retry_count(RETRIES);
    }

    private static void serve(InetSocketAddress address) throws Exception {
        long[] anyProcessor = {1};
        DaRPCServerGroup<Message, Message> group = DaRPCServerGroup.createServerGroup(
                new Increment(), anyProcessor, TIMEOUT_MILLIS, 0, false, DEPTH, DEPTH, DEPTH, CLUSTER);
        setRetries(group);
        RdmaServerEndpoint<DaRPCServerEndpoint<Message, Message>> listener = group.createServerEndpoint();
        listener.bind(address, BACKLOG);
        System.out.println("serving");
        while (true) {
            listener.accept();
        }
    }

    private static double perSecond(DaRPCStream<Message, Message> stream, int calls, boolean streamed)
            throws Exception {
        Message request = new Message();
        Message answer = new Message();
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            request.number = i;
            DaRPCFuture<Message, Message> called = stream.request(request, answer, streamed);
            DaRPCFuture<Message, Message> answered = streamed ? stream.take() : called;
            if (answered.get().number != i + 1) {
                throw new IOException(answer.number + " is not the answer to " + i);
            }
        }
        return calls * NANOS_PER_SECOND / (System.nanoTime() - start);
    }
}
