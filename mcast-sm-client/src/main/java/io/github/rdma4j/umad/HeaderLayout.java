// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.umad.UserMadHeader;

/** Which of its two headers a umad file puts before a MAD. */
public enum HeaderLayout {
    /** 64 bytes, with the index of the partition key. */
    WITH_PKEY_INDEX(UserMadHeader.Layout.BYTES),

    /** 56 bytes, as before that was there: index 0 is meant. */
    OLD(UserMadHeader.Old.Layout.BYTES);

    private final int bytes;

    HeaderLayout(int bytes) {
        this.bytes = bytes;
    }

    int bytes() {
        return bytes;
    }
}
