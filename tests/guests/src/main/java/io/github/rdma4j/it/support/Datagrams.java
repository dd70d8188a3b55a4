// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/** Datagram queue pairs of this JVM that were brought up without the connection manager, in one protection domain. */
public final class Datagrams implements AutoCloseable {
    public static final int PORT = 1;
    public static final int QKEY = 0x1111_1111;

    private final DeviceContext context;
    private final ProtectionDomain pd;

    private Datagrams(DeviceContext context) throws RdmaException {
        this.context = context;
        pd = context.allocatePd();
    }

    public static Datagrams open() throws RdmaException {
        return new Datagrams(DeviceContext.open(Rxe.DEVICE));
    }

    /** On a device of another kernel. */
    public static Datagrams open(Kernel kernel, String name) throws RdmaException {
        return new Datagrams(DeviceContext.open(kernel, RdmaDevices.find(kernel, name)));
    }

    public DeviceContext context() {
        return context;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    /** The index of the address's RoCE v2 GID. */
    public int gidIndex(String host) throws RdmaException {
        return context.queryGids().stream()
                .filter(entry -> entry.gid().equals(gid(host)) && entry.gidType() == GidEntry.Type.ROCE_V2)
                .mapToInt(GidEntry::gidIndex)
                .findFirst()
                .orElseThrow();
    }

    public static Gid gid(String host) {
        try {
            return Gid.of(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** The way to an address of this very device. */
    public AddressHandle way(String host) throws RdmaException {
        return pd.createAh(AhAttr.to(gid(host), gidIndex(host), PORT));
    }

    public Node node() throws RdmaException {
        return node(options -> options);
    }

    public Node node(UnaryOperator<QueuePairOptions.Builder> change) throws RdmaException {
        return new Node(this, change);
    }

    /** INIT, RTR and RTS; returns the same queue pair. */
    public static QueuePair ready(QueuePair qp) throws RdmaException {
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(PORT)
                .qkey(QKEY)
                .build());
        qp.modify(QpAttr.builder().state(QpState.RTR).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).sqPsn(0).build());
        return qp;
    }

    @Override
    public void close() throws RdmaException {
        context.close();
    }

    /** A queue pair that is ready, in the protection domain of all, with its own completion queue and buffer. */
    public static final class Node extends End {
        private static final int BYTES = 8192;

        private Node(Datagrams all, UnaryOperator<QueuePairOptions.Builder> change) throws RdmaException {
            super(
                    all.pd,
                    all.context,
                    Loopback.setup().qp(options -> change.apply(options.type(QueuePairType.UD))),
                    (pd, options) -> ready(pd.createQp(options)),
                    ByteBuffer.allocateDirect(BYTES));
        }

        /** A signaled request with the first {@code length} bytes of the buffer; yet to be told where to. */
        public SendWorkRequest message(int length) {
            return new SendWorkRequest(1).wrId(7).signaled().add(region(), 0, length);
        }

        /** Only with all others. */
        @Override
        public void close() {
            throw new UnsupportedOperationException("close the datagrams");
        }
    }
}
