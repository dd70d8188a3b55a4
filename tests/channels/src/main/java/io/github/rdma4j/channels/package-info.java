// SPDX-License-Identifier: Apache-2.0
/** Random programs over channels, each run over TCP and over RDMA: a difference is a finding. */
@NullMarked
package io.github.rdma4j.channels;

import org.jspecify.annotations.NullMarked;
