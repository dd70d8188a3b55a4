// SPDX-License-Identifier: Apache-2.0
/** Connections in bulk, with migration to another event channel: what rdma-core's {@code ucmatose(1)} does. */
@NullMarked
package io.github.rdma4j.cli.cmatose;

import org.jspecify.annotations.NullMarked;
