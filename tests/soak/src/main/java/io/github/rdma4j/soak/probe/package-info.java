// SPDX-License-Identifier: Apache-2.0
/** Clients in their right mind, which tell whether a server still serves. */
@NullMarked
package io.github.rdma4j.soak.probe;

import org.jspecify.annotations.NullMarked;
