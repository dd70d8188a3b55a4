// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams (MADs) of one InfiniBand port. {@link MadTransport} is what the subnet administration client
 * needs to send and receive them; {@link UmadPort} is the kernel's, over {@code /dev/infiniband/umad*}
 * ({@code Documentation/infiniband/user_mad.rst}).
 */
@NullMarked
package io.github.rdma4j.umad;

import org.jspecify.annotations.NullMarked;
