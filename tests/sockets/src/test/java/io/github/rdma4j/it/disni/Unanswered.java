// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.verbs.IbvWC;
import java.net.InetSocketAddress;

/** Connects an endpoint of DiSNI to an address and a port where nobody listens. */
final class Unanswered {
    private Unanswered() {}

    public static void main(String[] arguments) throws Exception {
        RdmaActiveEndpointGroup<RdmaActiveEndpoint> group = new RdmaActiveEndpointGroup<>(1000, false, 1, 1, 1);
        group.init((id, serverSide) -> new RdmaActiveEndpoint(group, id, serverSide) {
            @Override
            public void dispatchCqEvent(IbvWC completion) {
                System.out.println("nothing was sent");
            }
        });
        group.createEndpoint().connect(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 1000);
        System.out.println("connected");
    }
}
