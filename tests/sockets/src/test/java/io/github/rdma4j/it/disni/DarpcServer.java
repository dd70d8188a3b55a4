// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerGroup;
import com.ibm.disni.RdmaServerEndpoint;
import java.net.InetSocketAddress;

/** A server of DaRPC for any number of clients. */
final class DarpcServer {
    static final int QUEUE = 16;
    static final int CLUSTER = 32;

    private DarpcServer() {}

    /** Arguments: address, port, bytes of inline data. */
    public static void main(String[] arguments) throws Exception {
        long[] affinities = {1};
        DaRPCServerGroup<Addition.Message, Addition.Message> group = DaRPCServerGroup.createServerGroup(
                new Addition(), affinities, -1, Integer.parseInt(arguments[2]), false, QUEUE, QUEUE, QUEUE, CLUSTER);
        EchoGroups.patient(group);
        RdmaServerEndpoint<DaRPCServerEndpoint<Addition.Message, Addition.Message>> listener =
                group.createServerEndpoint();
        listener.bind(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 100);
        System.out.println("serving");
        while (true) {
            listener.accept();
        }
    }
}
