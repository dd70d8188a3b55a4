// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/** The streams to which a command's standard streams are connected. */
public record GuestStreams(InputStream input, OutputStream output, OutputStream error) {
    /** This process's own streams, without the buffering and decoding of {@link System}. */
    public static GuestStreams ofThisProcess() {
        return new GuestStreams(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err));
    }
}
