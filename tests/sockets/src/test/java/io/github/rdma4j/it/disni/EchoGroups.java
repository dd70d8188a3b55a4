// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.RdmaPassiveEndpointGroup;
import com.ibm.disni.RdmaServerEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Echoes between endpoints of DiSNI's groups, both ends in one process: each connection exchanges messages and is closed. The first
 * argument is the kind of group. It has no helper of another module: one test gives it modules and these classes alone.
 */
final class EchoGroups<E extends RdmaEndpoint & EchoEndpoint.Echo> {
    private static final int MESSAGES = 5;
    private static final int TIMEOUT = 100;
    private static final int ROOM = 16;

    private final RdmaEndpointGroup<E> servers;
    private final RdmaEndpointGroup<E> clients;

    private EchoGroups(RdmaEndpointGroup<E> servers, RdmaEndpointGroup<E> clients) {
        this.servers = servers;
        this.clients = clients;
    }

    /** DiSNI's endpoints have no retries unless they are told: one lost packet would end a connection. */
    static void patient(RdmaEndpointGroup<?> group) throws IOException {
        group.getConnParam().setRetry_count((byte) 7);
        group.getConnParam().setRnr_retry_count((byte) 7);
    }

    /**
     * Arguments: active, polling or passive; address; port; how many connections there are, one after the other; and the address of
     * the listener, if that is another.
     */
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[2]);
        InetSocketAddress address = new InetSocketAddress(arguments[1], port);
        InetSocketAddress own = arguments.length > 4 ? new InetSocketAddress(arguments[4], port) : address;
        int connections = Integer.parseInt(arguments[3]);
        if (arguments[0].equals("passive")) {
            new EchoGroups<>(passive(), passive()).run(own, address, connections);
        } else {
            boolean polling = arguments[0].equals("polling");
            new EchoGroups<>(active(polling), active(polling)).run(own, address, connections);
        }
        System.exit(0);
    }

    private static RdmaEndpointGroup<EchoEndpoint.Active> active(boolean polling) throws IOException {
        RdmaActiveEndpointGroup<EchoEndpoint.Active> group =
                new RdmaActiveEndpointGroup<>(TIMEOUT, polling, ROOM, 4, 4 * ROOM);
        patient(group);
        group.init((id, serverSide) -> new EchoEndpoint.Active(group, id, serverSide));
        return group;
    }

    private static RdmaEndpointGroup<EchoEndpoint.Passive> passive() throws IOException {
        RdmaPassiveEndpointGroup<EchoEndpoint.Passive> group =
                new RdmaPassiveEndpointGroup<>(TIMEOUT, ROOM, 4, 4 * ROOM);
        patient(group);
        group.init((id, serverSide) -> new EchoEndpoint.Passive(group, id, serverSide));
        return group;
    }

    private void run(InetSocketAddress own, InetSocketAddress address, int connections) throws Exception {
        RdmaServerEndpoint<E> listener = servers.createServerEndpoint();
        listener.bind(own, 16);
        connect(listener, address); // the first makes what the others share
        String before = Resources.now();
        for (int i = 1; i < connections; i++) {
            connect(listener, address);
        }
        System.out.println("before: " + before);
        System.out.println("after: " + Resources.now());
        listener.close();
        clients.close();
        servers.close();
        System.out.println(connections + " connections");
    }

    private void connect(RdmaServerEndpoint<E> listener, InetSocketAddress address) throws Exception {
        FutureTask<Boolean> server = new FutureTask<>(() -> {
            EchoEndpoint echo = listener.accept().echo();
            for (int i = 0; i < MESSAGES; i++) {
                echo.answer();
            }
            echo.close();
            return true;
        });
        Thread thread = new Thread(server, "server");
        thread.setDaemon(true);
        thread.start();
        E client = clients.createEndpoint();
        client.connect(address, 2000);
        for (int i = 0; i < MESSAGES; i++) {
            if (client.echo().call(i) != i) {
                throw new IllegalStateException("another number came back");
            }
        }
        client.echo().close();
        boolean unused = server.get(EchoEndpoint.LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    }
}
