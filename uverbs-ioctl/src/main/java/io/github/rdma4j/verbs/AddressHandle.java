// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.uverbs.CreateAhCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.provider.Provider;

/**
 * The address of a port or of a multicast group, for the datagrams of {@link SendWorkRequest#to} ({@code
 * ibv_create_ah(3)}).
 *
 * <p>Created by {@link ProtectionDomain#createAh}, for all datagram queue pairs of that domain. Close an address handle when
 * the sends to it have completed: a send that the device has not begun by then completes in error and moves its queue pair
 * to the error state. Closing an address handle earlier is safe otherwise.
 *
 * <pre>{@code
 * try (MemoryRegion region = verbs.registerMessages(buffer);
 *         AddressHandle ah = id.id().pd().createAh(peer.ahAttr())) {
 *     verbs.postDatagram(1, region, 0, 8, ah, peer.qpn(), peer.qkey());
 *     WorkCompletion sent = verbs.awaitSendCompletion(limit).orElseThrow();
 *     if (!sent.isSuccess()) {
 *         throw new WorkCompletionException(sent);
 *     }
 * }
 * }</pre>
 */
public final class AddressHandle extends VerbsObject {
    private final ProtectionDomain pd;
    private final AhAttr attributes;
    private final int handle;
    private final int number;

    private AddressHandle(ProtectionDomain pd, AhAttr attributes, int handle, int number) {
        super(pd);
        this.pd = pd;
        this.attributes = attributes;
        this.handle = handle;
        this.number = number;
    }

    static AddressHandle create(ProtectionDomain pd, AhAttr attributes) throws RdmaException {
        DeviceContext context = pd.context();
        Provider provider = context.provider();
        return create(
                () -> {
                    CreateAhCommand command = new CreateAhCommand(context.newCookie(), pd.handle(), attributes);
                    ControlPath.NewAh made = context.control().createAh(command, provider.ahReplyBytes());
                    return Undo.onFailure(
                            () -> {
                                int number = provider.addressNumber(made.driverReply());
                                return new AddressHandle(pd, attributes, made.handle(), number);
                            },
                            () -> context.control().destroyAh(made.handle()));
                },
                pd);
    }

    /** The address that this handle was created for. */
    public AhAttr attributes() {
        return attributes;
    }

    ProtectionDomain pd() {
        return pd;
    }

    /** By which work requests name it to the driver. */
    int number() {
        return number;
    }

    @Override
    void destroy() throws RdmaException {
        pd.context().control().destroyAh(handle);
    }

    @Override
    public String toString() {
        return "AddressHandle[" + attributes.dgid() + ", port " + attributes.portNum() + "]";
    }
}
