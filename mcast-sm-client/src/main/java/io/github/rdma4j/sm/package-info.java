// SPDX-License-Identifier: Apache-2.0
/**
 * Subnet administration of an InfiniBand subnet, as asked of its subnet manager: {@code SaClient} runs the
 * transactions, multicast memberships build on it. RoCE has no subnet manager; there a group is joined through
 * the connection manager.
 */
@NullMarked
package io.github.rdma4j.sm;

import org.jspecify.annotations.NullMarked;
