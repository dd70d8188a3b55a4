// SPDX-License-Identifier: Apache-2.0
/**
 * Management datagrams (MADs) of InfiniBand ports, through {@code /dev/infiniband/umad*} ({@code
 * Documentation/infiniband/user_mad.rst}). The client of subnet administration sends and receives through a {@link
 * MadTransport}; {@link UmadPort} is the transport of the kernel. {@link UmadDevice} carries the MADs of any class.
 */
@NullMarked
package io.github.rdma4j.umad;

import org.jspecify.annotations.NullMarked;
