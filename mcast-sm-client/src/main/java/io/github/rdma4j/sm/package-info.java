// SPDX-License-Identifier: Apache-2.0
/**
 * Subnet administration of an InfiniBand subnet, which its subnet manager provides: paths, services and multicast
 * groups.
 *
 * <p>{@link io.github.rdma4j.sm.SaClient} sends the requests. {@link io.github.rdma4j.sm.MulticastGroups} and {@link
 * io.github.rdma4j.sm.MembershipRegistry} join multicast groups by their MGID: use them on InfiniBand when the program
 * needs other memberships than full membership, creates groups, or has no IP address. They concern the port only; the
 * program attaches its queue pairs.
 *
 * <p>RoCE has no subnet manager. There, and for groups with an IP address on either network, join through the
 * connection manager: {@code io.github.rdma4j.cm.CmMulticast} resolves the address, joins, and attaches the queue pair.
 */
@NullMarked
package io.github.rdma4j.sm;

import org.jspecify.annotations.NullMarked;
