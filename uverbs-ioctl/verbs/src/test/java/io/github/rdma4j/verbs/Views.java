// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** What rings are given, for the tests of rings. */
public final class Views {
    public static final CompletionSink<WorkCompletion> SINK = WorkCompletion.SINK;

    private Views() {}

    public static SendView of(SendWorkRequest request) {
        return request.view();
    }

    /** A signaled send of no bytes to an address that no address handle stands for. */
    public static SendView datagram(long wrId, int qpn, int qkey, AddressVector address) {
        SendView request = of(new SendWorkRequest(0).wrId(wrId).send().signaled());
        InvocationHandler answers = (proxy, method, arguments) -> switch (method.getName()) {
            case "address" -> address;
            case "remoteQpn" -> qpn;
            case "remoteQkey" -> qkey;
            default -> method.invoke(request, arguments);
        };
        return (SendView)
                Proxy.newProxyInstance(SendView.class.getClassLoader(), new Class<?>[] {SendView.class}, answers);
    }

    public static ReceiveView of(ReceiveWorkRequest request) {
        return request.view();
    }
}
