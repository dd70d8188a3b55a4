// SPDX-License-Identifier: Apache-2.0
/** Random programs over the channels and selectors of {@code java.nio}. */
@NullMarked
package io.github.rdma4j.channels.nio;

import org.jspecify.annotations.NullMarked;
