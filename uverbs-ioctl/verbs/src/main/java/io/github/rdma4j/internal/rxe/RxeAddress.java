// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.rxe.RxeAbi.CreateAhResp;
import io.github.rdma4j.kernel.UnsupportedByKernelException;

/**
 * The address of a datagram.
 *
 * @param number the number of the kernel's address handle in work requests
 */
record RxeAddress(int number) implements AddressVector {
    /**
     * A number is required: without it, the kernel would expect the whole address, including the MAC address, in every
     * work request.
     */
    static RxeAddress of(Created.Ah created) throws UnsupportedByKernelException {
        int number = created.driverReply().getInt(CreateAhResp.AH_NUM);
        if (number == 0) {
            throw new UnsupportedByKernelException(
                    "the rxe driver of this kernel does not number address handles: datagrams need Linux 5.15 or newer");
        }
        return new RxeAddress(number);
    }
}
