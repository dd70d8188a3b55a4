// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCClientGroup;
import com.ibm.darpc.DaRPCFuture;
import com.ibm.darpc.DaRPCStream;
import io.github.rdma4j.it.disni.Addition.Message;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client of {@link DarpcServer} in each of DaRPC's modes. */
final class DarpcClient {
    private static final int CALLS = 200;
    private static final int BATCH = 8;
    private static final int LIMIT_MILLIS = 5000;

    private final DaRPCStream<Message, Message> stream;

    private DarpcClient(DaRPCStream<Message, Message> stream) {
        this.stream = stream;
    }

    /** How to find out that a call has been answered. */
    private interface Mode {
        DaRPCFuture<Message, Message> answer(DaRPCFuture<Message, Message> called) throws Exception;
    }

    /** Arguments: address, port, bytes of inline data; and a word for a client that never ends. */
    public static void main(String[] arguments) throws Exception {
        DaRPCClientGroup<Message, Message> group = DaRPCClientGroup.createClientGroup(
                new Addition.Protocol(), 100, Integer.parseInt(arguments[2]), DarpcServer.QUEUE, DarpcServer.QUEUE);
        EchoGroups.patient(group);
        DaRPCClientEndpoint<Message, Message> endpoint = group.createEndpoint();
        endpoint.connect(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 1000);
        DarpcClient client = new DarpcClient(endpoint.createStream());
        do {
            client.run();
        } while (arguments.length > 3);
        endpoint.close();
        group.close();
        System.out.println("closed");
        System.exit(0);
    }

    private void run() throws Exception {
        calls("future-poll", false, called -> {
            while (!called.isDone()) {
                Thread.onSpinWait();
            }
            return called;
        });
        calls("future-take", false, called -> {
            called.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
            return called;
        });
        calls("stream-poll", true, called -> polled());
        calls("stream-take", true, called -> stream.take(LIMIT_MILLIS));
        batches("batch-stream-poll", called -> polled());
        batches("batch-stream-take", called -> stream.take(LIMIT_MILLIS));
    }

    private DaRPCFuture<Message, Message> polled() throws Exception {
        DaRPCFuture<Message, Message> answered = stream.poll();
        while (answered == null) {
            answered = stream.poll();
        }
        return answered;
    }

    private void calls(String name, boolean streamed, Mode mode) throws Exception {
        Message request = new Message();
        for (int i = 0; i < CALLS; i++) {
            request.number = i;
            check(mode.answer(stream.request(request, new Message(), streamed)), i + 1);
        }
        System.out.println(name + ": " + CALLS + " calls");
    }

    private static void check(DaRPCFuture<Message, Message> answered, int expected) {
        int number = answered.getReceiveMessage().number;
        if (number != expected) {
            throw new IllegalStateException(number + " in the place of " + expected);
        }
    }

    private void batches(String name, Mode mode) throws Exception {
        Message request = new Message();
        for (int i = 0; i < CALLS / BATCH; i++) {
            List<DaRPCFuture<Message, Message>> called = new ArrayList<>();
            for (int j = 0; j < BATCH; j++) {
                request.number = j;
                called.add(stream.request(request, new Message(), true));
            }
            int sum = 0;
            for (DaRPCFuture<Message, Message> each : called) {
                sum += mode.answer(each).getReceiveMessage().number;
            }
            if (sum != BATCH * (BATCH + 1) / 2) {
                throw new IllegalStateException("a sum of " + sum);
            }
        }
        System.out.println(name + ": " + CALLS + " calls");
    }
}
