// SPDX-License-Identifier: Apache-2.0
/** Tests of DiSNI's API over rdma4j that need no device. */
@NullMarked
package io.github.rdma4j.disni;

import org.jspecify.annotations.NullMarked;
