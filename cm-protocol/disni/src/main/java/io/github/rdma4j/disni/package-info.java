// SPDX-License-Identifier: Apache-2.0
/**
 * DiSNI's API over rdma4j. Programs name DiSNI's classes only: {@code com.ibm.disni.verbs.RdmaProvider} makes the class {@code
 * RdmaProviderNat} of this jar, which leads to this package.
 *
 * <p>What libdisni does and the specification leaves open is done as libdisni does it; {@code docs/guide/disni.md} has the list of
 * differences.
 */
@NullMarked
package io.github.rdma4j.disni;

import org.jspecify.annotations.NullMarked;
