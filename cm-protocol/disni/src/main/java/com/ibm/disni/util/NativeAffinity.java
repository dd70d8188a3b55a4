// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.util;

import io.github.rdma4j.disni.Replacement;
import io.github.rdma4j.internal.libc.ThreadAffinity;

/** Takes the place of DiSNI's class of this name, which loads DiSNI's native library. */
public class NativeAffinity implements Replacement {
    private NativeAffinity() {}

    /**
     * Keeps the calling thread on the processors 0 to 63 that have a bit in {@code affinity}; a number that is not positive changes
     * nothing, and so does one that the kernel refuses.
     */
    public static void setAffinity(long affinity) {
        if (affinity > 0) {
            ThreadAffinity.set(affinity);
        }
    }

    /** A bit for each of the processors 0 to 63 on which the calling thread may run. */
    public static long getAffinity() {
        return ThreadAffinity.get();
    }
}
