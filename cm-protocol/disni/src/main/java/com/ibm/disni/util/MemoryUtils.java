// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

import io.github.rdma4j.disni.Replacement;
import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;

/** Takes the place of DiSNI's class of this name, which uses a class that the JDK does not export. */
public class MemoryUtils implements Replacement {
    private MemoryUtils() {}

    /**
     * The address of byte 0 of a direct buffer.
     *
     * @throws ClassCastException for a buffer on the heap
     */
    public static long getAddress(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new ClassCastException(buffer + " is on the heap; only a direct buffer has an address");
        }
        return NativeMemory.address(buffer);
    }
}
