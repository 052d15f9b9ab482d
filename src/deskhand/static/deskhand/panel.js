/**
 * @license
 * Copyright 2019 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var De=globalThis,Be=De.ShadowRoot&&(De.ShadyCSS===void 0||De.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,yt=Symbol(),Jt=new WeakMap,Ae=class{constructor(e,t,r){if(this._$cssResult$=!0,r!==yt)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=t}get styleSheet(){let e=this.o,t=this.t;if(Be&&e===void 0){let r=t!==void 0&&t.length===1;r&&(e=Jt.get(t)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),r&&Jt.set(t,e))}return e}toString(){return this.cssText}},ei=i=>new Ae(typeof i=="string"?i:i+"",void 0,yt),q=(i,...e)=>{let t=i.length===1?i[0]:e.reduce((r,n,s)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(n)+i[s+1],i[0]);return new Ae(t,i,yt)},ti=(i,e)=>{if(Be)i.adoptedStyleSheets=e.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet);else for(let t of e){let r=document.createElement("style"),n=De.litNonce;n!==void 0&&r.setAttribute("nonce",n),r.textContent=t.cssText,i.appendChild(r)}},vt=Be?i=>i:i=>i instanceof CSSStyleSheet?(e=>{let t="";for(let r of e.cssRules)t+=r.cssText;return ei(t)})(i):i;/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{is:qr,defineProperty:Hr,getOwnPropertyDescriptor:Dr,getOwnPropertyNames:Br,getOwnPropertySymbols:Ur,getPrototypeOf:Wr}=Object,Ue=globalThis,ii=Ue.trustedTypes,jr=ii?ii.emptyScript:"",Fr=Ue.reactiveElementPolyfillSupport,Ee=(i,e)=>i,$t={toAttribute(i,e){switch(e){case Boolean:i=i?jr:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,e){let t=i;switch(e){case Boolean:t=i!==null;break;case Number:t=i===null?null:Number(i);break;case Object:case Array:try{t=JSON.parse(i)}catch{t=null}}return t}},ni=(i,e)=>!qr(i,e),ri={attribute:!0,type:String,converter:$t,reflect:!1,useDefault:!1,hasChanged:ni};Symbol.metadata??=Symbol("metadata"),Ue.litPropertyMetadata??=new WeakMap;var V=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,t=ri){if(t.state&&(t.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((t=Object.create(t)).wrapped=!0),this.elementProperties.set(e,t),!t.noAccessor){let r=Symbol(),n=this.getPropertyDescriptor(e,r,t);n!==void 0&&Hr(this.prototype,e,n)}}static getPropertyDescriptor(e,t,r){let{get:n,set:s}=Dr(this.prototype,e)??{get(){return this[t]},set(o){this[t]=o}};return{get:n,set(o){let l=n?.call(this);s?.call(this,o),this.requestUpdate(e,l,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??ri}static _$Ei(){if(this.hasOwnProperty(Ee("elementProperties")))return;let e=Wr(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(Ee("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(Ee("properties"))){let t=this.properties,r=[...Br(t),...Ur(t)];for(let n of r)this.createProperty(n,t[n])}let e=this[Symbol.metadata];if(e!==null){let t=litPropertyMetadata.get(e);if(t!==void 0)for(let[r,n]of t)this.elementProperties.set(r,n)}this._$Eh=new Map;for(let[t,r]of this.elementProperties){let n=this._$Eu(t,r);n!==void 0&&this._$Eh.set(n,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let t=[];if(Array.isArray(e)){let r=new Set(e.flat(1/0).reverse());for(let n of r)t.unshift(vt(n))}else e!==void 0&&t.push(vt(e));return t}static _$Eu(e,t){let r=t.attribute;return r===!1?void 0:typeof r=="string"?r:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,t=this.constructor.elementProperties;for(let r of t.keys())this.hasOwnProperty(r)&&(e.set(r,this[r]),delete this[r]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ti(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,t,r){this._$AK(e,r)}_$ET(e,t){let r=this.constructor.elementProperties.get(e),n=this.constructor._$Eu(e,r);if(n!==void 0&&r.reflect===!0){let s=(r.converter?.toAttribute!==void 0?r.converter:$t).toAttribute(t,r.type);this._$Em=e,s==null?this.removeAttribute(n):this.setAttribute(n,s),this._$Em=null}}_$AK(e,t){let r=this.constructor,n=r._$Eh.get(e);if(n!==void 0&&this._$Em!==n){let s=r.getPropertyOptions(n),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:$t;this._$Em=n;let l=o.fromAttribute(t,s.type);this[n]=l??this._$Ej?.get(n)??l,this._$Em=null}}requestUpdate(e,t,r,n=!1,s){if(e!==void 0){let o=this.constructor;if(n===!1&&(s=this[e]),r??=o.getPropertyOptions(e),!((r.hasChanged??ni)(s,t)||r.useDefault&&r.reflect&&s===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,r))))return;this.C(e,t,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,t,{useDefault:r,reflect:n,wrapped:s},o){r&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??t??this[e]),s!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||r||(t=void 0),this._$AL.set(e,t)),n===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(t){Promise.reject(t)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[n,s]of this._$Ep)this[n]=s;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[n,s]of r){let{wrapped:o}=s,l=this[n];o!==!0||this._$AL.has(n)||l===void 0||this.C(n,void 0,s,l)}}let e=!1,t=this._$AL;try{e=this.shouldUpdate(t),e?(this.willUpdate(t),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(t)):this._$EM()}catch(r){throw e=!1,this._$EM(),r}e&&this._$AE(t)}willUpdate(e){}_$AE(e){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(t=>this._$ET(t,this[t])),this._$EM()}updated(e){}firstUpdated(e){}};V.elementStyles=[],V.shadowRootOptions={mode:"open"},V[Ee("elementProperties")]=new Map,V[Ee("finalized")]=new Map,Fr?.({ReactiveElement:V}),(Ue.reactiveElementVersions??=[]).push("2.1.2");/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var _t=globalThis,si=i=>i,We=_t.trustedTypes,oi=We?We.createPolicy("lit-html",{createHTML:i=>i}):void 0,St="$lit$",G=`lit$${Math.random().toFixed(9).slice(2)}$`,At="?"+G,Zr=`<${At}>`,le=document,Re=()=>le.createComment(""),Pe=i=>i===null||typeof i!="object"&&typeof i!="function",Et=Array.isArray,pi=i=>Et(i)||typeof i?.[Symbol.iterator]=="function",Tt=`[ 	
\f\r]`,Ce=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,ai=/-->/g,li=/>/g,oe=RegExp(`>|${Tt}(?:([^\\s"'>=/]+)(${Tt}*=${Tt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),ci=/'/g,hi=/"/g,ui=/^(?:script|style|textarea|title)$/i,Ct=i=>(e,...t)=>({_$litType$:i,strings:e,values:t}),b=Ct(1),M=Ct(2),Is=Ct(3),L=Symbol.for("lit-noChange"),k=Symbol.for("lit-nothing"),di=new WeakMap,ae=le.createTreeWalker(le,129);function fi(i,e){if(!Et(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return oi!==void 0?oi.createHTML(e):e}var gi=(i,e)=>{let t=i.length-1,r=[],n,s=e===2?"<svg>":e===3?"<math>":"",o=Ce;for(let l=0;l<t;l++){let a=i[l],f,c,d=-1,h=0;for(;h<a.length&&(o.lastIndex=h,c=o.exec(a),c!==null);)h=o.lastIndex,o===Ce?c[1]==="!--"?o=ai:c[1]!==void 0?o=li:c[2]!==void 0?(ui.test(c[2])&&(n=RegExp("</"+c[2],"g")),o=oe):c[3]!==void 0&&(o=oe):o===oe?c[0]===">"?(o=n??Ce,d=-1):c[1]===void 0?d=-2:(d=o.lastIndex-c[2].length,f=c[1],o=c[3]===void 0?oe:c[3]==='"'?hi:ci):o===hi||o===ci?o=oe:o===ai||o===li?o=Ce:(o=oe,n=void 0);let g=o===oe&&i[l+1].startsWith("/>")?" ":"";s+=o===Ce?a+Zr:d>=0?(r.push(f),a.slice(0,d)+St+a.slice(d)+G+g):a+G+(d===-2?l:g)}return[fi(i,s+(i[t]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),r]},Le=class i{constructor({strings:e,_$litType$:t},r){let n;this.parts=[];let s=0,o=0,l=e.length-1,a=this.parts,[f,c]=gi(e,t);if(this.el=i.createElement(f,r),ae.currentNode=this.el.content,t===2||t===3){let d=this.el.content.firstChild;d.replaceWith(...d.childNodes)}for(;(n=ae.nextNode())!==null&&a.length<l;){if(n.nodeType===1){if(n.hasAttributes())for(let d of n.getAttributeNames())if(d.endsWith(St)){let h=c[o++],g=n.getAttribute(d).split(G),x=/([.?@])?(.*)/.exec(h);a.push({type:1,index:s,name:x[2],strings:g,ctor:x[1]==="."?Fe:x[1]==="?"?Ze:x[1]==="@"?Ve:he}),n.removeAttribute(d)}else d.startsWith(G)&&(a.push({type:6,index:s}),n.removeAttribute(d));if(ui.test(n.tagName)){let d=n.textContent.split(G),h=d.length-1;if(h>0){n.textContent=We?We.emptyScript:"";for(let g=0;g<h;g++)n.append(d[g],Re()),ae.nextNode(),a.push({type:2,index:++s});n.append(d[h],Re())}}}else if(n.nodeType===8)if(n.data===At)a.push({type:2,index:s});else{let d=-1;for(;(d=n.data.indexOf(G,d+1))!==-1;)a.push({type:7,index:s}),d+=G.length-1}s++}}static createElement(e,t){let r=le.createElement("template");return r.innerHTML=e,r}};function ce(i,e,t=i,r){if(e===L)return e;let n=r!==void 0?t._$Co?.[r]:t._$Cl,s=Pe(e)?void 0:e._$litDirective$;return n?.constructor!==s&&(n?._$AO?.(!1),s===void 0?n=void 0:(n=new s(i),n._$AT(i,t,r)),r!==void 0?(t._$Co??=[])[r]=n:t._$Cl=n),n!==void 0&&(e=ce(i,n._$AS(i,e.values),n,r)),e}var je=class{constructor(e,t){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=t}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:t},parts:r}=this._$AD,n=(e?.creationScope??le).importNode(t,!0);ae.currentNode=n;let s=ae.nextNode(),o=0,l=0,a=r[0];for(;a!==void 0;){if(o===a.index){let f;a.type===2?f=new ke(s,s.nextSibling,this,e):a.type===1?f=new a.ctor(s,a.name,a.strings,this,e):a.type===6&&(f=new Ge(s,this,e)),this._$AV.push(f),a=r[++l]}o!==a?.index&&(s=ae.nextNode(),o++)}return ae.currentNode=le,n}p(e){let t=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(e,r,t),t+=r.strings.length-2):r._$AI(e[t])),t++}},ke=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,t,r,n){this.type=2,this._$AH=k,this._$AN=void 0,this._$AA=e,this._$AB=t,this._$AM=r,this.options=n,this._$Cv=n?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,t=this._$AM;return t!==void 0&&e?.nodeType===11&&(e=t.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,t=this){e=ce(this,e,t),Pe(e)?e===k||e==null||e===""?(this._$AH!==k&&this._$AR(),this._$AH=k):e!==this._$AH&&e!==L&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):pi(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==k&&Pe(this._$AH)?this._$AA.nextSibling.data=e:this.T(le.createTextNode(e)),this._$AH=e}$(e){let{values:t,_$litType$:r}=e,n=typeof r=="number"?this._$AC(e):(r.el===void 0&&(r.el=Le.createElement(fi(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===n)this._$AH.p(t);else{let s=new je(n,this),o=s.u(this.options);s.p(t),this.T(o),this._$AH=s}}_$AC(e){let t=di.get(e.strings);return t===void 0&&di.set(e.strings,t=new Le(e)),t}k(e){Et(this._$AH)||(this._$AH=[],this._$AR());let t=this._$AH,r,n=0;for(let s of e)n===t.length?t.push(r=new i(this.O(Re()),this.O(Re()),this,this.options)):r=t[n],r._$AI(s),n++;n<t.length&&(this._$AR(r&&r._$AB.nextSibling,n),t.length=n)}_$AR(e=this._$AA.nextSibling,t){for(this._$AP?.(!1,!0,t);e!==this._$AB;){let r=si(e).nextSibling;si(e).remove(),e=r}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},he=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,t,r,n,s){this.type=1,this._$AH=k,this._$AN=void 0,this.element=e,this.name=t,this._$AM=n,this.options=s,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=k}_$AI(e,t=this,r,n){let s=this.strings,o=!1;if(s===void 0)e=ce(this,e,t,0),o=!Pe(e)||e!==this._$AH&&e!==L,o&&(this._$AH=e);else{let l=e,a,f;for(e=s[0],a=0;a<s.length-1;a++)f=ce(this,l[r+a],t,a),f===L&&(f=this._$AH[a]),o||=!Pe(f)||f!==this._$AH[a],f===k?e=k:e!==k&&(e+=(f??"")+s[a+1]),this._$AH[a]=f}o&&!n&&this.j(e)}j(e){e===k?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Fe=class extends he{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===k?void 0:e}},Ze=class extends he{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==k)}},Ve=class extends he{constructor(e,t,r,n,s){super(e,t,r,n,s),this.type=5}_$AI(e,t=this){if((e=ce(this,e,t,0)??k)===L)return;let r=this._$AH,n=e===k&&r!==k||e.capture!==r.capture||e.once!==r.once||e.passive!==r.passive,s=e!==k&&(r===k||n);n&&this.element.removeEventListener(this.name,this,r),s&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Ge=class{constructor(e,t,r){this.element=e,this.type=6,this._$AN=void 0,this._$AM=t,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(e){ce(this,e)}},mi={M:St,P:G,A:At,C:1,L:gi,R:je,D:pi,V:ce,I:ke,H:he,N:Ze,U:Ve,B:Fe,F:Ge},Vr=_t.litHtmlPolyfillSupport;Vr?.(Le,ke),(_t.litHtmlVersions??=[]).push("3.3.3");var xi=(i,e,t)=>{let r=t?.renderBefore??e,n=r._$litPart$;if(n===void 0){let s=t?.renderBefore??null;r._$litPart$=n=new ke(e.insertBefore(Re(),s),s,void 0,t??{})}return n._$AI(i),n};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Rt=globalThis,N=class extends V{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let t=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=xi(t,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return L}};N._$litElement$=!0,N.finalized=!0,Rt.litElementHydrateSupport?.({LitElement:N});var Gr=Rt.litElementPolyfillSupport;Gr?.({LitElement:N});(Rt.litElementVersions??=[]).push("4.2.2");/**
 * @license
 * Copyright 2022 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 *//**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var B={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},we=i=>(...e)=>({_$litDirective$:i,values:e}),ee=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,t,r){this._$Ct=e,this._$AM=t,this._$Ci=r}_$AS(e,t){return this.update(e,t)}update(e,t){return this.render(...t)}};/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var{I:Qr}=mi,bi=i=>i;var wi=i=>i.strings===void 0,ki=()=>document.createComment(""),ye=(i,e,t)=>{let r=i._$AA.parentNode,n=e===void 0?i._$AB:e._$AA;if(t===void 0){let s=r.insertBefore(ki(),n),o=r.insertBefore(ki(),n);t=new Qr(s,o,i,i.options)}else{let s=t._$AB.nextSibling,o=t._$AM,l=o!==i;if(l){let a;t._$AQ?.(i),t._$AM=i,t._$AP!==void 0&&(a=i._$AU)!==o._$AU&&t._$AP(a)}if(s!==n||l){let a=t._$AA;for(;a!==s;){let f=bi(a).nextSibling;bi(r).insertBefore(a,n),a=f}}}return t},te=(i,e,t=i)=>(i._$AI(e,t),i),Xr={},Qe=(i,e=Xr)=>i._$AH=e,yi=i=>i._$AH,Xe=i=>{i._$AR(),i._$AA.remove()};/**
 * @license
 * Copyright 2017 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var vi=(i,e,t)=>{let r=new Map;for(let n=e;n<=t;n++)r.set(i[n],n);return r},ve=we(class extends ee{constructor(i){if(super(i),i.type!==B.CHILD)throw Error("repeat() can only be used in text expressions")}dt(i,e,t){let r;t===void 0?t=e:e!==void 0&&(r=e);let n=[],s=[],o=0;for(let l of i)n[o]=r?r(l,o):o,s[o]=t(l,o),o++;return{values:s,keys:n}}render(i,e,t){return this.dt(i,e,t).values}update(i,[e,t,r]){let n=yi(i),{values:s,keys:o}=this.dt(e,t,r);if(!Array.isArray(n))return this.ut=o,s;let l=this.ut??=[],a=[],f,c,d=0,h=n.length-1,g=0,x=s.length-1;for(;d<=h&&g<=x;)if(n[d]===null)d++;else if(n[h]===null)h--;else if(l[d]===o[g])a[g]=te(n[d],s[g]),d++,g++;else if(l[h]===o[x])a[x]=te(n[h],s[x]),h--,x--;else if(l[d]===o[x])a[x]=te(n[d],s[x]),ye(i,a[x+1],n[d]),d++,x--;else if(l[h]===o[g])a[g]=te(n[h],s[g]),ye(i,n[d],n[h]),h--,g++;else if(f===void 0&&(f=vi(o,g,x),c=vi(l,d,h)),f.has(l[d]))if(f.has(l[h])){let v=c.get(o[g]),w=v!==void 0?n[v]:null;if(w===null){let _=ye(i,n[d]);te(_,s[g]),a[g]=_}else a[g]=te(w,s[g]),ye(i,n[d],w),n[v]=null;g++}else Xe(n[h]),h--;else Xe(n[d]),d++;for(;g<=x;){let v=ye(i,a[x+1]);te(v,s[g]),a[g++]=v}for(;d<=h;){let v=n[d++];v!==null&&Xe(v)}return this.ut=o,Qe(i,a),L}});function I(i){return b`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${i}</svg>`}var $i=()=>I(M`<path d="M4 3.8h12a1.2 1.2 0 0 1 1.2 1.2v7.6a1.2 1.2 0 0 1-1.2 1.2H9.4L5.6 17v-3.2H4a1.2 1.2 0 0 1-1.2-1.2V5A1.2 1.2 0 0 1 4 3.8Z"/><path d="M6.4 7.4h7.2M6.4 10.2h4.6"/>`),Ke=()=>I(M`<path d="m5 5 10 10M15 5 5 15"/>`),Ti=()=>I(M`<path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h8"/>`),_i=()=>I(M`<path d="M10 4v12M4 10h12"/>`),Si=()=>I(M`<path class="turns" d="M12 4.5 6.5 10l5.5 5.5"/>`),Ai=()=>I(M`<path d="M7 6 3 10l4 4M13 6l4 4-4 4M3.5 10h13"/>`),Ei=()=>I(M`<path d="M3 6l4 4-4 4M17 6l-4 4 4 4"/>`),Ci=()=>I(M`<path d="M10 16V4.5M5 9.2l5-5 5 5"/>`),Ri=()=>I(M`<rect x="5.5" y="5.5" width="9" height="9" rx="1" fill="currentColor"/>`),Pi=()=>I(M`<path d="m4 16 .8-3.2 8.4-8.4a1.4 1.4 0 0 1 2 0l.4.4a1.4 1.4 0 0 1 0 2l-8.4 8.4L4 16Z"/>`),Li=()=>I(M`<path d="M4 6h12M8 6V4.2h4V6M5.5 6l.7 10h7.6l.7-10M8.4 9v4.4M11.6 9v4.4"/>`),Mi=()=>I(M`<circle cx="9" cy="9" r="4.8"/><path d="m12.6 12.6 3.6 3.6"/>`),Ii=()=>I(M`<path d="m4.5 10.5 3.6 3.6 7.4-8"/>`),Pt=()=>I(M`<circle cx="10" cy="10" r="6.8"/><path d="M10 9.4v4M10 6.6v.1"/>`),zi=()=>I(M`<path d="M10 4v11.5M5.2 10.8 10 15.6l4.8-4.8"/>`),Ni=()=>I(M`<rect x="7" y="7" width="9" height="9.4" rx="1.4"/><path d="M13 4.6H5.4A1.4 1.4 0 0 0 4 6v8"/>`);var Kr={"panel.name":"Assistant","panel.open":"Open the assistant","panel.close":"Close the assistant","panel.wider":"Make the panel wider","panel.narrower":"Make the panel narrower","empty.heading":"Ask about what is in this back office","empty.text":"It looks things up with your own rights, and changes nothing without your click.","list.open":"Conversations","list.back":"Back to the conversation","list.new":"New conversation","list.search":"Search conversations","list.none":"No conversations yet.","list.nothing_found":"Nothing found for “{query}”.","list.untitled":"Untitled conversation","list.rename":"Rename “{title}”","list.rename_field":"New name","list.delete":"Delete “{title}”","list.running":"An answer is being written","list.more":"Show older conversations","list.deleted":"“{title}” was deleted.","list.undo":"Undo","list.today":"Today","list.save":"Save","list.cancel":"Cancel","log.name":"Conversation","log.older":"Show earlier messages","log.newest":"Go to the newest message","log.you":"You","log.assistant":"Assistant","log.loading":"Loading the conversation…","log.stopped":"Stopped here.","log.incomplete":"This answer is not complete.","log.copy":"Copy answer","log.copied":"Copied","log.copy_failed":"Could not copy. Select the text and copy it yourself.","turn.starting":"Starting…","turn.thinking":"Thinking…","turn.writing":"Writing…","turn.waiting.one":"The model's server asked to wait {n} second. It goes on by itself.","turn.waiting.other":"The model's server asked to wait {n} seconds. It goes on by itself.","turn.ended":"The answer is complete.","turn.ended_stopped":"The answer was stopped.","tool.running":"Looking up: {title}","tool.ok":"Looked up: {title}","tool.needs_confirmation":"Proposed: {title}. Nothing is changed without your click.","tool.unavailable":"Not available: {title}","tool.invalid":"Asked in a way that {title} does not understand","tool.timeout":"Took too long: {title}","tool.stopped":"Stopped: {title}","tool.truncated":"The request arrived cut and was not run: {title}","tool.duplicate":"Already proposed: {title}","tool.error":"Did not work: {title}","write.field":"Your message","write.placeholder":"Ask a question","write.send":"Send","write.sending":"Sending…","write.stop":"Stop","write.stopping":"Stopping…","write.left.one":"{n} character left","write.left.other":"{n} characters left","write.over.one":"{n} character too many. Shorten the text, or send it in parts.","write.over.other":"{n} characters too many. Shorten the text, or send it in parts.","write.provider":"What you write, and what is looked up for it, is sent to {name}.","write.offline_model":"Answers come from a practice model on this server. Nothing is sent anywhere.","write.wait":"An answer is still being written. Your text stays here; send it when the answer is done, or press Stop.","write.kept":"Your text is still here.","write.elsewhere":"Show that conversation","link.show":"Show address","link.long.one":"This address carries {n} character of its own. Look at it before you open it.","link.long.other":"This address carries {n} characters of its own. Look at it before you open it.","link.open":"Open this address","link.picture":"Picture","code.copy":"Copy","code.copied":"Copied","net.lost.one":"Connection lost. Trying again in {n} second.","net.lost.other":"Connection lost. Trying again in {n} seconds.","net.trying":"Connection lost. Trying again now…","net.back":"Connected again.","net.retry":"Try now","error.close":"Close this message","error.offline":"The server could not be reached. Check your connection and try again.","error.unreadable":"The server's answer could not be read. Try again; if it stays so, tell your administrator.","error.forbidden":"You are signed out, or may not use the assistant any more. Reload the page to sign in again.","error.gone":"This conversation is not there any more. Start a new one.","error.busy":"An answer is still being written. Wait until it is done, or stop it.","error.too_large":"The message is too long. Shorten it and send it again.","error.limit":"You have reached a limit. Try again later.","error.server":"The server made a mistake. Try again; if it stays so, tell your administrator."};function u(i,e={}){return Kr[i].replace(/\{(\w+)\}/g,(t,r)=>String(e[r]??t))}function ie(i,e,t={}){let r=new Intl.PluralRules("en").select(e)==="one"?"one":"other";return u(`${i}.${r}`,{...t,n:e.toLocaleString("en")})}var P=class extends Error{constructor(e,t,r){super(r),this.status=e,this.code=t}get isPassing(){return this.status===0||this.status>=500||this.status===429}},Ye=class{#e;#t="";constructor(e){let t=new URL(e,location.href);if(t.origin!==location.origin)throw new TypeError("data-api must lie on the page's own origin");this.#e=t.pathname.endsWith("/")?t.pathname:`${t.pathname}/`}async state(){let e=await this.#i("GET","state");return this.#t=e.csrf,e}conversations(e="",t=null){let r=new URLSearchParams;return e&&r.set("q",e),t&&r.set("before",t),this.#i("GET",`conversations?${r}`)}conversation(e){return this.#i("GET",`conversations/${encodeURIComponent(e)}`)}create(){return this.#i("POST","conversations",{})}rename(e,t){return this.#i("PATCH",`conversations/${encodeURIComponent(e)}`,{title:t})}remove(e){return this.#i("DELETE",`conversations/${encodeURIComponent(e)}`)}restore(e){return this.#i("POST",`conversations/${encodeURIComponent(e)}/restore`,{})}messages(e,t={}){let r=new URLSearchParams;return t.before!==void 0&&r.set("before",String(t.before)),t.after!==void 0&&r.set("after",String(t.after)),this.#i("GET",`conversations/${encodeURIComponent(e)}/messages?${r}`)}start(e,t){return this.#i("POST",`conversations/${encodeURIComponent(e)}/turns`,t)}stop(e){return this.#i("POST",`turns/${encodeURIComponent(e)}/stop`,{})}events(e,t,r){return this.#i("GET",`turns/${encodeURIComponent(e)}/events?after=${t}`,void 0,r)}async stream(e,t,r){let n=`turns/${encodeURIComponent(e)}/stream?after=${t}`,s=await this.#r("GET",n,void 0,r,"text/event-stream");if(!s.ok||!s.body)throw await Oi(s);return s.body}async#i(e,t,r,n){let s=await this.#r(e,t,r,n);if(s.status===403&&e!=="GET"){let o=this.#t;await this.state(),this.#t!==o&&(s=await this.#r(e,t,r,n))}if(!s.ok)throw await Oi(s);try{return await s.json()}catch{throw new P(s.status,"unreadable",u("error.unreadable"))}}async#r(e,t,r,n,s="application/json"){let o={Accept:s};e!=="GET"&&(o["X-CSRFToken"]=this.#t),r!==void 0&&(o["Content-Type"]="application/json");try{return await fetch(this.#e+t,{method:e,headers:o,credentials:"same-origin",redirect:"manual",cache:"no-store",...r===void 0?{}:{body:JSON.stringify(r)},...n?{signal:n}:{}})}catch(l){throw n?.aborted?l:new P(0,"offline",u("error.offline"))}}};async function Oi(i){if(i.type==="opaqueredirect")return new P(403,"not_allowed",qi(403));let e="",t="";try{let{error:r}=await i.json();({code:e,message:t}=r)}catch{}return new P(i.status,e||String(i.status),t||qi(i.status))}function qi(i){return i===401||i===403?u("error.forbidden"):i===404?u("error.gone"):i===409?u("error.busy"):i===413?u("error.too_large"):i===429?u("error.limit"):u("error.server")}var Je=class{#e;constructor(e,t){this.#e=typeof BroadcastChannel>"u"?null:new BroadcastChannel(`deskhand:${e}`),this.#e?.addEventListener("message",({data:r})=>{typeof r=="string"&&t(r)})}ring(e){this.#e?.postMessage(e)}close(){this.#e?.close()}};var et=class{constructor(e,t){this.items=[];this.query="";this.hasMore=!1;this.isLoading=!1;this.isLoaded=!1;this.trouble="";this.removed=null;this.#i=null;this.#r=0;this.#e=e,this.#t=t}#e;#t;#i;#r;#n;async load(e=this.query){this.query=e,await this.#a(async t=>{let r=await this.#e.conversations(e);t()&&(this.items=r.conversations,this.#l(r.next),this.isLoaded=!0)})}async more(){if(!this.#i)return;let e=this.#i;await this.#a(async t=>{let r=await this.#e.conversations(this.query,e);if(!t())return;let n=new Set(this.items.map(({id:s})=>s));this.items=[...this.items,...r.conversations.filter(({id:s})=>!n.has(s))],this.#l(r.next)})}async rename(e,t){let r=t.trim();!r||r===e.title||await this.#a(async()=>{let n=await this.#e.rename(e.id,r);this.items=this.items.map(s=>s.id===n.id?{...s,title:n.title}:s)})}async remove(e){await this.#a(async()=>{let{undo_seconds:t}=await this.#e.remove(e.id);this.items=this.items.filter(({id:r})=>r!==e.id),this.#s({conversation:e,secondsLeft:t})})}async undo(){let e=this.removed;e&&(this.#o(),await this.#a(async()=>{await this.#e.restore(e.conversation.id)}),await this.load())}#s(e){this.#o(),this.removed=e,this.#n=setInterval(()=>{if(!this.removed)return;let t=this.removed.secondsLeft-1;t<=0?this.#o():this.removed={...this.removed,secondsLeft:t},this.#t()},1e3)}#o(){clearInterval(this.#n),this.removed=null}#l(e){this.#i=e,this.hasMore=e!==null}async#a(e){this.#r+=1;let t=this.#r;this.isLoading=!0,this.trouble="",this.#t();try{await e(()=>t===this.#r)}catch(r){this.trouble=r instanceof P?r.message:u("error.unreadable")}finally{this.isLoading=t!==this.#r,this.#t()}}};var tt=class{#e;constructor(e){this.#e=`deskhand:${e}:`}get isOpen(){return this.#i("localStorage","open")==="yes"}set isOpen(e){this.#r("localStorage","open",e?"yes":null)}get isWide(){return this.#i("localStorage","wide")==="yes"}set isWide(e){this.#r("localStorage","wide",e?"yes":null)}get conversation(){return this.#i("sessionStorage","conversation")}set conversation(e){this.#r("sessionStorage","conversation",e)}belongTo(e){let t=this.#i("sessionStorage","person");t!==null&&t!==e&&this.#t(),this.#r("sessionStorage","person",e)}draft(e){let t=this.#i("sessionStorage",`draft:${e??"new"}`);if(t)try{let{text:r,key:n}=JSON.parse(t);if(typeof r=="string"&&typeof n=="string")return{text:r,key:n}}catch{}return{text:"",key:it()}}keep(e,t){let r=`draft:${e??"new"}`;this.#r("sessionStorage",r,t.text===""?null:JSON.stringify(t))}#t(){try{for(let e of Object.keys(sessionStorage))e.startsWith(this.#e)&&sessionStorage.removeItem(e)}catch{}}#i(e,t){try{return globalThis[e].getItem(this.#e+t)}catch{return null}}#r(e,t,r){try{r===null?globalThis[e].removeItem(this.#e+t):globalThis[e].setItem(this.#e+t,r)}catch{}}};function it(){return Array.from(crypto.getRandomValues(new Uint8Array(16)),i=>i.toString(16).padStart(2,"0")).join("")}var rt=class{#e=0;next(e){e.length<this.#e&&(this.#e=0);let t=e.slice(this.#e),r=/^[\s\S]*(?:[.!?。！？؟][)"”’]*\s|\n)/u.exec(t)?.[0].length??0;return this.#e+=r,Hi(t.slice(0,r))}finish(e){let t=e.slice(Math.min(this.#e,e.length));return this.#e=0,Hi(t)}};function Hi(i){return i.replace(/!?\[([^\]]*)\]\([^)]*\)/g,"$1").replace(/^[\s>]*(?:#{1,6}|[-*+])\s+/gm,"").replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/gm,"").replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g,"").replace(/\s*\|\s*/g,", ").trim()}var $e=class extends Error{constructor(e,t){super(e),this.name="ParseError",this.type=t.type,this.field=t.field,this.value=t.value,this.line=t.line}};var nt=10,st=13,de=32,Di=6;function Lt(i){if(typeof i=="function")throw new TypeError("`config` must be an object, got a function instead. Did you mean `createParser({onEvent: fn})`?");let{maxBufferSize:e,onComment:t,onError:r,onEvent:n,onId:s,onRetry:o}=i,l=[],a=0,f="",c,d="",h=0,g,x=!1,v=!1,w=!1;function _(p){if(x)throw new Error("Cannot feed parser: it was terminated after exceeding the configured max buffer size. Call `reset()` to resume parsing.");if(f!==void 0){if(p=f+p,p===""||p==="ï"||p==="ï»"){f=p;return}f=void 0,p=p.replace(/^(?:\uFEFF|\xEF\xBB\xBF)/,"")}if((v||w)&&(p=D(p),!p))return;if(!l.length){let $=J(p);$!==""&&A($),O();return}if(p.indexOf(`
`)===-1&&p.indexOf("\r")===-1){if(a<Di){let $=l.join("")+p.slice(0,Di-a);if(!Y($)){l.length=0,a=0,v=!0;return}}l.push(p),a+=p.length,O();return}l.push(p);let m=l.join("");l.length=0,a=0,A(J(m)),O()}function D(p){if(p.length===0)return p;if(w)return w=!1,p.charCodeAt(0)===nt?p.slice(1):p;let m=p.indexOf("\r"),$=p.indexOf(`
`),T=m===-1?$:$===-1||m<$?m:$;return T===-1?"":T===p.length-1&&p.charCodeAt(T)===st?(v=!1,w=!0,""):(v=!1,p.slice(T+(p.charCodeAt(T)===st&&p.charCodeAt(T+1)===nt?2:1)))}function A(p){if(p){if(p.charCodeAt(p.length-1)===st){if(Z(p,0,p.length-1),O())return;w=!0;return}if(Y(p)){l.push(p),a=p.length;return}v=!0}}function Y(p){let m=p.charCodeAt(0);return m===58&&!!t||m===100&&ot(p,"data")||m===101&&ot(p,"event")||m===105&&ot(p,"id")||m===114&&ot(p,"retry")}function O(){return x?!0:e===void 0||a+d.length<=e?!1:(x=!0,l.length=0,a=0,c=void 0,d="",h=0,g=void 0,v=!1,w=!1,r?.(new $e(`Buffered data exceeded max buffer size of ${e} characters`,{type:"max-buffer-size-exceeded"})),!0)}function J(p){let m=0;if(p.indexOf("\r")===-1){let S=p.indexOf(`
`,m);for(;S!==-1;){if(m===S){c!==void 0&&s?.(c),h>0&&n?.({id:c,event:g,data:d}),c=void 0,d="",h=0,g=void 0,m=S+1,S=p.indexOf(`
`,m);continue}let z=p.charCodeAt(m);if(Bi(p,m,z)){let wt=p.charCodeAt(m+5)===de?m+6:m+5,Se=p.slice(wt,S);if(h===0&&p.charCodeAt(S+1)===nt){c!==void 0&&s?.(c),n?.({id:c,event:g,data:Se}),c=void 0,d="",g=void 0,m=S+2,S=p.indexOf(`
`,m);continue}d=h===0?Se:`${d}
${Se}`,h++}else Ui(p,m,z)?g=p.slice(p.charCodeAt(m+6)===de?m+7:m+6,S)||void 0:Z(p,m,S);if(O())return"";m=S+1,S=p.indexOf(`
`,m)}return p.slice(m)}let $=p.indexOf("\r",m),T=p.indexOf(`
`,m);for(;m<p.length;){let S=-1;if($!==-1&&T!==-1?S=$<T?$:T:$!==-1?$===p.length-1?S=-1:S=$:T!==-1&&(S=T),S===-1)break;if(Z(p,m,S),O())return"";m=S+1,p.charCodeAt(m-1)===st&&p.charCodeAt(m)===nt&&m++,$!==-1&&$<m&&($=p.indexOf("\r",m)),T!==-1&&T<m&&(T=p.indexOf(`
`,m))}return p.slice(m)}function Z(p,m,$){if(m===$){se();return}let T=p.charCodeAt(m);if(Bi(p,m,T)){let be=p.charCodeAt(m+5)===de?m+6:m+5,Yt=p.slice(be,$);d=h===0?Yt:`${d}
${Yt}`,h++;return}if(Ui(p,m,T)){g=p.slice(p.charCodeAt(m+6)===de?m+7:m+6,$)||void 0;return}if(T===105&&p.charCodeAt(m+1)===100&&p.charCodeAt(m+2)===58){let be=p.slice(p.charCodeAt(m+3)===de?m+4:m+3,$);be.includes("\0")||(c=be);return}if(T===58){if(t){let be=p.slice(m,$);t(be.slice(p.charCodeAt(m+1)===de?2:1))}return}let S=p.slice(m,$),z=S.indexOf(":");if(z===-1){j(S,"",S);return}let wt=S.slice(0,z),Se=S.charCodeAt(z+1)===de?2:1,Or=S.slice(z+Se);j(wt,Or,S)}function j(p,m,$){switch(p){case"event":g=m||void 0;break;case"data":d=h===0?m:`${d}
${m}`,h++;break;case"id":m.includes("\0")||(c=m);break;case"retry":/^\d+$/.test(m)?o?.(parseInt(m,10)):r?.(new $e(`Invalid \`retry\` value: "${m}"`,{type:"invalid-retry",value:m,line:$}));break;default:r?.(new $e(`Unknown field "${p.length>20?`${p.slice(0,20)}…`:p}"`,{type:"unknown-field",field:p,value:m,line:$}));break}}function se(){c!==void 0&&s?.(c),h>0&&n?.({id:c,event:g,data:d}),c=void 0,d="",h=0,g=void 0}function xe(p={}){if(p.consume&&l.length>0){let m=l.join("");Z(m,0,m.length)}f="",c=void 0,d="",h=0,g=void 0,l.length=0,a=0,x=!1,v=!1,w=!1}return{feed:_,reset:xe}}function Bi(i,e,t){return t===100&&i.charCodeAt(e+1)===97&&i.charCodeAt(e+2)===116&&i.charCodeAt(e+3)===97&&i.charCodeAt(e+4)===58}function Ui(i,e,t){return t===101&&i.charCodeAt(e+1)===118&&i.charCodeAt(e+2)===101&&i.charCodeAt(e+3)===110&&i.charCodeAt(e+4)===116&&i.charCodeAt(e+5)===58}function ot(i,e){let t=1;for(;t<i.length&&t<e.length;){if(i.charCodeAt(t)!==e.charCodeAt(t))return!1;t++}return i.length<=e.length||i.charCodeAt(e.length)===58}var Yr={silenceMs:4e3,idleMs:4e4,firstMs:500,longestMs:15e3};async function Wi(i){return new It(i).run()}var It=class{#e;#t;#i;#r;#n=!1;#s=0;constructor(e){this.#e=e,this.#t={...Yr,...e.waits},this.#i=e.after,this.#r=e.streams}async run(){let{signal:e}=this.#e;for(;!this.#n&&!e.aborted;)try{await(this.#r?this.#o():this.#a())}catch(t){if(e.aborted)break;if(t instanceof P&&!t.isPassing)throw t;await this.#d()}return this.#n}async#o(){let e=new AbortController,t=()=>e.abort();this.#e.signal.addEventListener("abort",t,{once:!0});let r=!1,n=setTimeout(t,this.#t.silenceMs),s=()=>{r=!0,this.#p(),clearTimeout(n),n=setTimeout(t,this.#t.idleMs)};try{let o=await this.#e.api.stream(this.#e.turn,this.#i,e.signal);await this.#l(o,s),this.#n||(r?await Mt(50,this.#e.signal):this.#h())}catch(o){if(!e.signal.aborted||this.#e.signal.aborted)throw o;r||this.#h()}finally{clearTimeout(n),this.#e.signal.removeEventListener("abort",t),e.abort()}}async#l(e,t){let r=Lt({onEvent:({id:o,event:l,data:a})=>{t();let f={number:Number(o??0),kind:l??"",payload:JSON.parse(a)};this.#c(f)},onComment:t}),n=new TextDecoder,s=e.getReader();for(;!this.#n;){let{done:o,value:l}=await s.read();if(o)return;r.feed(n.decode(l,{stream:!0}))}s.cancel().catch(()=>{})}async#a(){let e=await this.#e.api.events(this.#e.turn,this.#i,this.#e.signal);this.#p();for(let t of e.events)this.#c(t);this.#n||await Mt(e.wait_ms,this.#e.signal)}#c(e){this.#n||this.#e.signal.aborted||e.number<=this.#i&&e.kind!=="done"||(this.#i=Math.max(this.#i,e.number),e.kind==="done"&&(this.#n=!0),this.#e.onEvent(e))}#h(){this.#r=!1,this.#e.onNoStream?.()}#p(){this.#s=0,this.#e.onLink({state:"live"})}async#d(){let e=Math.min(this.#t.firstMs*2**this.#s,this.#t.longestMs)*(.75+Math.random()/2);this.#s+=1,this.#e.onLink({state:"lost",retryAt:Date.now()+e}),await Mt(e,this.#e.signal,["online","deskhand-retry"]),this.#e.onLink({state:"lost",retryAt:0})}};function Mt(i,e,t=[]){return new Promise(r=>{let n=()=>{clearTimeout(s),e.removeEventListener("abort",n);for(let o of t)globalThis.removeEventListener?.(o,n);r()},s=setTimeout(n,i);e.addEventListener("abort",n,{once:!0});for(let o of t)globalThis.addEventListener?.(o,n);e.aborted&&n()})}function ji(i){return{id:i,text:"",activities:[],phase:"starting",waitSeconds:0,isStopping:!1}}function Fi(i,e){switch(e.kind){case"text":return{...i,phase:"writing",text:i.text+e.payload.text};case"thinking":return{...i,phase:"thinking"};case"waiting":return{...i,phase:"waiting",waitSeconds:e.payload.seconds};case"tool":{let{call:t,title:r,state:n,summary:s}=e.payload,l=[...i.activities.filter(a=>a.call!==t),{call:t,title:r,outcome:n,summary:s}].sort((a,f)=>a.call-f.call);return{...i,activities:l,phase:n==="running"?"looking":"thinking"}}case"message":return Jr(i,e.payload);default:return i}}function Jr(i,e){if(e.role==="assistant")return{...i,text:""};if(e.role!=="tool"||!e.tool)return i;let{title:t}=e.tool,r=i.activities.findIndex(n=>n.title===t);return r<0?i:{...i,activities:i.activities.filter((n,s)=>s!==r)}}var en=5,Ie=class{constructor(e,t){this.title="";this.turn=null;this.link={state:"live"};this.trouble=null;this.hasOlder=!1;this.isLoading=!1;this.isSending=!1;this.#t=new Map;this.#i=new rt;this.#r=null;this.#n=!1;this.id=e,this.#e=t}#e;#t;#i;#r;#n;get messages(){return[...this.#t.values()].sort((e,t)=>e.seq-t.seq)}get#s(){return Math.max(0,...this.#t.keys())}async load(){if(this.id){this.isLoading=this.#t.size===0,this.#e.changed();try{let e=this.#s,[t,r]=await Promise.all([this.#e.api.messages(this.id,e?{after:e}:{}),this.#e.api.conversation(this.id)]);this.title=r.title,e||(this.hasOlder=t.has_more),this.#d(t.messages),e&&t.has_more&&await this.#c(),t.running_turn&&this.follow(t.running_turn)}finally{this.isLoading=!1,this.#e.changed()}}}async loadOlder(){let e=Math.min(...this.#t.keys());if(!(!this.id||!this.hasOlder||!Number.isFinite(e))){try{let t=await this.#e.api.messages(this.id,{before:e});this.hasOlder=t.has_more,this.#d(t.messages)}catch(t){this.#f(t)}this.#e.changed()}}async send(e,t,r,n){if(this.isSending)return!1;if(this.turn)return this.#p({message:u("write.wait")});this.isSending=!0,this.trouble=null,this.#e.changed();try{this.id||(this.id=(await this.#e.api.create()).id);let{turn:s,message:o}=await this.#e.api.start(this.id,{text:e,key:t,page:r,locale:n});return this.#d([o]),this.follow(s),this.#e.moved(this),!0}catch(s){return this.#f(s),s instanceof P&&s.code==="busy"&&await this.#h(),!1}finally{this.isSending=!1,this.#e.changed()}}follow(e){if(this.turn?.id===e)return;this.leave(),this.turn=ji(e),this.#n=!1;let t=new AbortController;this.#r=t,Wi({api:this.#e.api,turn:e,after:0,streams:this.#e.streams,signal:t.signal,onEvent:r=>this.#o(r),onLink:r=>this.#l(r),onNoStream:()=>{this.#e.streams=!1},...this.#e.waits?{waits:this.#e.waits}:{}}).then(r=>r?this.#a(e):void 0).catch(r=>{this.#f(r),this.turn=null,this.#e.changed()})}leave(){this.#r?.abort(),this.#r=null,this.turn=null,this.link={state:"live"}}async stop(){let e=this.turn;if(!(!e||e.isStopping)){this.turn={...e,isStopping:!0},this.#e.changed();try{let{is_running:t}=await this.#e.api.stop(e.id);t||await this.#a(e.id)}catch(t){this.#f(t),this.turn?.id===e.id&&(this.turn={...this.turn,isStopping:!1}),this.#e.changed()}}}#o(e){if(!this.turn)return;let t=this.turn.isStopping;this.turn={...Fi(this.turn,e),isStopping:t},e.kind==="text"&&this.#u(this.#i.next(this.turn.text)),e.kind==="tool"&&e.payload.state==="running"&&this.#u(u("tool.running",{title:e.payload.title})),e.kind==="message"&&(this.#d([e.payload]),e.payload.role==="assistant"&&this.#u(this.#i.finish(e.payload.content)),e.payload.role==="notice"&&this.#u(e.payload.content)),this.#e.changed()}#l(e){e.state===this.link.state&&e.state==="live"||(e.state==="live"?this.#u(u("net.back")):this.link.state==="live"&&this.#u(u("net.trying")),this.link=e,this.#e.changed())}async#a(e){if(!(this.turn?.id!==e||this.#n)){this.#n=!0,this.#r?.abort();try{await this.#c()}catch(t){this.#f(t)}this.#n=!1,this.turn?.id===e&&(this.leave(),this.#u(u("turn.ended")),this.#e.moved(this),this.#e.changed())}}async#c(){for(let e=1;this.id;e+=1)try{let t=await this.#e.api.messages(this.id,{after:this.#s});if(this.#d(t.messages),!t.has_more||t.messages.length===0)return}catch(t){if(!(t instanceof P&&t.isPassing)||e>=en)throw t;await new Promise(n=>setTimeout(n,400*e))}}async#h(){try{if(await this.load(),this.turn)return;let{running:e}=await this.#e.api.state(),t=e.find(({conversation:r})=>r!==this.id);t&&this.trouble&&(this.trouble={...this.trouble,elsewhere:t.conversation})}catch{}}#p(e){return this.trouble=e,this.#e.changed(),!1}#d(e){for(let t of e)this.#t.set(t.seq,t)}#u(e){e&&this.#e.announce(this,e)}#f(e){this.trouble={message:e instanceof P?e.message:u("error.unreadable")}}};var tn=30,rn=8,at=class{constructor(e,t){this.state=null;this.trouble="";this.announcements=[];this.#t=new Map;this.#s=!1;this.#o=0;this.look=()=>{!this.state||document.visibilityState!=="visible"||this.talk.turn||!this.talk.id||this.memory.isOpen&&this.talk.load().catch(()=>{})};this.api=new Ye(e),this.memory=new tt(e),this.#r=t,this.#e={api:this.api,streams:!0,changed:()=>this.changed(),announce:(r,n)=>this.#p(r,n),moved:r=>this.#c(r)},this.list=new et(this.api,()=>this.changed()),this.talk=new Ie(null,this.#e),this.draft=this.memory.draft(null),this.#i=new Je(e,r=>this.#h(r)),this.#n=setInterval(()=>this.look(),tn*1e3),document.addEventListener("visibilitychange",this.look)}#e;#t;#i;#r;#n;#s;#o;close(){this.#i.close(),clearInterval(this.#n),document.removeEventListener("visibilitychange",this.look);for(let e of[this.talk,...this.#t.values()])e.leave()}async begin(){if(!this.state){this.trouble="";try{let e=await this.api.state();this.memory.belongTo(e.user.name),this.#e.streams=e.streams,this.state=e,await this.show(this.memory.conversation)}catch(e){this.trouble=e instanceof P?e.message:u("error.unreadable")}this.changed()}}async show(e){let t=e&&this.#t.get(e)||new Ie(e,this.#e);e&&this.#t.set(e,t),this.talk=t,this.draft=this.memory.draft(e),this.memory.conversation=e,this.announcements=[],this.changed();try{await t.load()}catch(r){if(this.talk!==t)return;if(r instanceof P&&r.status===404)return this.#a(e);t.trouble={message:r instanceof P?r.message:u("error.unreadable")},this.changed()}}write(e){e!==this.draft.text&&(this.draft={text:e,key:it()},this.memory.keep(this.talk.id,this.draft),this.changed())}async send(e,t){let{talk:r,draft:n}=this,s=r.id,o=await r.send(n.text,n.key,e,t);r.id&&!s&&this.#l(r,r.id,n),o&&(this.memory.keep(r.id,{text:"",key:""}),this.talk===r&&this.draft.key===n.key&&(this.draft={text:"",key:it()}),this.changed())}forget(e){this.#t.get(e)?.leave(),this.#t.delete(e),this.memory.keep(e,{text:"",key:""}),this.talk.id===e&&this.show(null)}changed(){if(this.#s)return;this.#s=!0;let e=()=>{this.#s=!1,this.#r()};document.visibilityState==="visible"?requestAnimationFrame(e):setTimeout(e,250)}#l(e,t,r){this.#t.set(t,e),this.memory.keep(null,{text:"",key:""}),this.memory.keep(t,r),this.talk===e&&(this.memory.conversation=t)}#a(e){return e&&this.#t.delete(e),this.show(null)}#c(e){e.id&&(this.#i.ring(e.id),this.list.isLoaded&&this.list.load(),e.title||e.load().catch(()=>{}))}#h(e){this.state&&(this.#t.get(e)?.load().catch(()=>{}),this.list.isLoaded&&this.list.load())}#p(e,t){e===this.talk&&(this.#o+=1,this.announcements=[...this.announcements,{id:this.#o,text:t}].slice(-rn))}};var Zi=q`
  :host {
    --ground: #ffffff;
    --raised: #f4f6f8;
    --line: #d5dce1;
    --edge: #78878f;
    --ink: #1b262c;
    --quiet: #4d5d66;
    --accent: var(--deskhand-accent, #2b6580);
    --on-accent: var(--deskhand-on-accent, #ffffff);
    --tint: #e7f0f5;
    --alarm: #9f2329;
    --alarm-tint: #fbeeee;
    --shade: 0 6px 28px rgb(16 32 40 / 18%);
    color-scheme: light;
  }
  :host([theme="dark"]) {
    --ground: #15191c;
    --raised: #1e2428;
    --line: #343d43;
    --edge: #7d8b93;
    --ink: #e3e9ec;
    --quiet: #a5b2ba;
    --accent: var(--deskhand-accent, #86c1da);
    --on-accent: var(--deskhand-on-accent, #0c1b22);
    --tint: #213440;
    --alarm: #ff9d98;
    --alarm-tint: #371f20;
    --shade: 0 6px 28px rgb(0 0 0 / 55%);
    color-scheme: dark;
  }
`,re=q`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  button,
  input,
  textarea {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
    text-transform: none;
  }
  button {
    cursor: pointer;
    background: none;
    border: 1px solid transparent;
    border-radius: 6px;
    padding: 0;
    touch-action: manipulation;
  }
  button:disabled {
    cursor: default;
    opacity: 0.55;
  }
  button.square {
    display: inline-grid;
    place-items: center;
    flex: none;
    width: 44px;
    height: 44px;
    color: var(--quiet);
  }
  button.square:hover:not(:disabled) {
    background: var(--raised);
    color: var(--ink);
  }
  button.word {
    min-height: 44px;
    padding: 0 14px;
    color: var(--accent);
    font-weight: 600;
  }
  button.word:hover:not(:disabled) {
    background: var(--raised);
  }
  button.main {
    min-height: 44px;
    padding: 0 16px;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .icon {
    display: block;
    flex: none;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
  @media (forced-colors: active) {
    button {
      border-color: ButtonBorder;
    }
  }
`;var Vi=q`
  :host {
    all: initial;
    position: static;
    font: 400 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    color: var(--ink);
  }
  @media print {
    :host {
      display: none;
    }
  }
  .launcher {
    position: fixed;
    z-index: 10000;
    bottom: 20px;
    right: 20px;
    display: grid;
    place-items: center;
    width: 52px;
    height: 52px;
    border-radius: 50%;
    background: var(--accent);
    color: var(--on-accent);
    box-shadow: var(--shade);
  }
  [dir="rtl"] .launcher {
    right: auto;
    left: 20px;
  }
  .launcher:hover {
    filter: brightness(1.08);
  }
  .launcher .icon {
    width: 24px;
    height: 24px;
  }
  aside {
    position: fixed;
    z-index: 10000;
    top: 0;
    bottom: 0;
    right: 0;
    display: flex;
    flex-direction: column;
    width: min(100vw, 420px);
    background: var(--ground);
    border-inline-start: 1px solid var(--line);
    box-shadow: var(--shade);
    overflow: hidden;
    overscroll-behavior: contain;
  }
  [dir="rtl"] aside {
    right: auto;
    left: 0;
  }
  aside.wide {
    width: min(100vw, 720px);
  }
  header {
    display: flex;
    align-items: center;
    gap: 2px;
    flex: none;
    min-height: 56px;
    padding: 6px 8px;
    border-bottom: 1px solid var(--line);
  }
  h2 {
    flex: 1;
    min-width: 0;
    margin: 0;
    padding: 0 6px;
    font-size: 15px;
    font-weight: 600;
    line-height: 1.35;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  [dir="rtl"] .turns {
    transform: scaleX(-1);
    transform-origin: center;
  }
  .body {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  deskhand-transcript,
  deskhand-conversations {
    flex: 1;
    min-height: 0;
  }
  .alarm {
    display: flex;
    flex-direction: column;
    align-items: start;
    gap: 4px;
    margin: 24px;
    padding: 14px 16px 8px;
    border: 1px solid var(--line);
    border-inline-start: 3px solid var(--alarm);
    border-radius: 6px;
  }
  .alarm p {
    margin: 0;
  }
  .alarm .word {
    margin-inline-start: -14px;
  }
  @media (max-width: 640px) {
    aside,
    aside.wide {
      width: 100vw;
      border: 0;
    }
    .widths {
      display: none;
    }
  }
`;var nn=new Set(["ar","dv","fa","he","ku","ps","sd","ug","ur","yi"]);function Gi(){let i=document.documentElement,e=i.dataset.theme;if(e==="dark"||e==="light")return e;if(e!=="auto"){if(i.classList.contains("dark"))return"dark";let t=getComputedStyle(i).colorScheme;if(t==="dark"||t==="light")return t;if(t==="normal")return"light"}return Ki().matches?"dark":"light"}function Qi(i){let e=document.documentElement;if(e.dir==="rtl"||e.dir==="ltr")return e.dir;let t=(i||e.lang).toLowerCase().split(/[-_]/)[0]??"";return nn.has(t)?"rtl":"ltr"}function Xi(i){let e=new MutationObserver(i);e.observe(document.documentElement,{attributeFilter:["data-theme","class","dir","lang","style"]});let t=Ki();return t.addEventListener("change",i),()=>{e.disconnect(),t.removeEventListener("change",i)}}function Ki(){return matchMedia("(prefers-color-scheme: dark)")}/**
 * @license
 * Copyright 2020 Google LLC
 * SPDX-License-Identifier: BSD-3-Clause
 */var Yi=we(class extends ee{constructor(i){if(super(i),i.type!==B.PROPERTY&&i.type!==B.ATTRIBUTE&&i.type!==B.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!wi(i))throw Error("`live` bindings can only contain a single expression")}render(i){return i}update(i,[e]){if(e===L||e===k)return e;let t=i.element,r=i.name;if(i.type===B.PROPERTY){if(e===t[r])return L}else if(i.type===B.BOOLEAN_ATTRIBUTE){if(!!e===t.hasAttribute(r))return L}else if(i.type===B.ATTRIBUTE&&t.getAttribute(r)===e+"")return L;return Qe(i),e}});var Ji=q`
  :host {
    display: block;
    flex: none;
    border-top: 1px solid var(--line);
    padding: 12px 14px calc(10px + env(safe-area-inset-bottom, 0px));
  }
  form {
    display: flex;
    align-items: flex-end;
    gap: 4px;
    padding: 2px;
    border: 1px solid var(--edge);
    border-radius: 10px;
    background: var(--ground);
  }
  form:focus-within {
    border-color: var(--accent);
    outline: 1px solid var(--accent);
  }
  textarea {
    flex: 1;
    min-width: 0;
    min-height: 44px;
    max-height: min(40vh, 260px);
    padding: 10px 6px 10px 12px;
    border: 0;
    background: none;
    resize: none;
    outline: none;
    field-sizing: content;
    overflow-y: auto;
  }
  textarea::placeholder {
    color: var(--quiet);
    opacity: 1;
  }
  .go {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-width: 44px;
    height: 44px;
    padding: 0 11px;
    border-radius: 8px;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .go:focus-visible {
    outline-offset: 2px;
  }
  .go:disabled {
    background: var(--raised);
    color: var(--quiet);
    opacity: 1;
  }
  .go.stop {
    background: none;
    border-color: var(--edge);
    color: var(--ink);
  }
  .trouble {
    display: flex;
    align-items: start;
    gap: 6px;
    margin-bottom: 10px;
    padding-block: 8px;
    padding-inline: 12px 4px;
    background: var(--alarm-tint);
    border-inline-start: 3px solid var(--alarm);
    border-radius: 4px;
    font-size: 14px;
  }
  .trouble > div {
    flex: 1;
    min-width: 0;
    padding-block: 2px;
  }
  .trouble .square {
    margin-block: -8px;
  }
  .trouble .word {
    display: block;
    min-height: 44px;
    margin: 0 -10px -10px;
    padding: 0 10px;
  }
  .link {
    display: flex;
    align-items: center;
    gap: 8px;
    margin-bottom: 8px;
    font-size: 14px;
    color: var(--alarm);
  }
  .link span {
    flex: 1;
  }
  .link .word {
    margin-block: -8px;
  }
  .under {
    display: flex;
    flex-wrap: wrap;
    gap: 0 12px;
    justify-content: space-between;
    margin-top: 8px;
    padding: 0 2px;
    font-size: 12.5px;
    line-height: 1.4;
    color: var(--quiet);
  }
  .count {
    font-variant-numeric: tabular-nums;
  }
  .count.over {
    color: var(--alarm);
    font-weight: 600;
  }
`;var sn=.9,on=229,lt=class extends N{static{this.styles=[re,Ji]}static{this.properties={store:{attribute:!1},version:{attribute:!1},page:{attribute:!1},locale:{attribute:!1},_now:{state:!0}}}#e;constructor(){super(),this._now=Date.now()}disconnectedCallback(){super.disconnectedCallback(),this.#l(!1)}focus(){this.#i?.focus()}render(){let{talk:e,draft:t,state:r}=this.store,n=[...t.text].length,s=r?.limits.message_chars??Number.POSITIVE_INFINITY,o=e.isSending||n>s||t.text.trim()==="";return b`${this.#o()} ${this.#s()}
      <form @submit=${this.#h}>
        <textarea rows="1" dir="auto" aria-label=${u("write.field")} aria-describedby="under" placeholder=${u("write.placeholder")}
          enterkeyhint="send" .value=${Yi(t.text)} @input=${this.#a} @keydown=${this.#c}></textarea>
        ${e.turn?b`<button type="button" class="go stop" ?disabled=${e.turn.isStopping} @click=${()=>e.stop()}>
                ${Ri()}<span>${u(e.turn.isStopping?"write.stopping":"write.stop")}</span></button>`:b`<button type="submit" class="go send" ?disabled=${o} aria-label=${u(e.isSending?"write.sending":"write.send")}
                title=${u("write.send")}>${Ci()}</button>`}
      </form>
      <div class="under" id="under">${this.#r()}${this.#n(n,s)}</div>`}updated(){this.#l(this.store.talk.link.state==="lost"),this.#t()}#t(){let e=this.#i;!e||CSS.supports("field-sizing","content")||(e.style.height="auto",e.style.height=`${e.scrollHeight}px`)}get#i(){return this.renderRoot.querySelector("textarea")}#r(){let e=this.store.state?.provider;if(!e)return k;let t=e.is_offline?u("write.offline_model"):u("write.provider",{name:e.name});return b`<span class="provider">${t}</span>`}#n(e,t){return e>t?b`<span class="count over" role="status">${ie("write.over",e-t)}</span>`:e<t*sn?k:b`<span class="count">${ie("write.left",t-e)}</span>`}#s(){let{trouble:e}=this.store.talk;if(!e)return k;let{elsewhere:t}=e,r=this.store.draft.text.trim()?` ${u("write.kept")}`:"";return b`<div class="trouble" role="alert">
      <div><span dir="auto">${e.message}</span>${r}
        ${t?b`<button type="button" class="word" @click=${()=>this.store.show(t)}>${u("write.elsewhere")}</button>`:k}</div>
      <button type="button" class="square" aria-label=${u("error.close")} title=${u("error.close")} @click=${this.#p}>
        ${Ke()}</button>
    </div>`}#o(){let{link:e}=this.store.talk;if(e.state==="live")return k;let t=Math.ceil((e.retryAt-this._now)/1e3);return b`<div class="link"><span>${t>0?ie("net.lost",t):u("net.trying")}</span>
      <button type="button" class="word" @click=${()=>dispatchEvent(new Event("deskhand-retry"))}>${u("net.retry")}</button></div>`}#l(e){e&&this.#e===void 0?(this._now=Date.now(),this.#e=setInterval(()=>{this._now=Date.now()},500)):!e&&this.#e!==void 0&&(clearInterval(this.#e),this.#e=void 0)}#a=e=>{this.store.write(e.target.value)};#c=e=>{e.key!=="Enter"||e.shiftKey||e.isComposing||e.keyCode===on||(e.preventDefault(),this.#d())};#h=e=>{e.preventDefault(),this.#d()};#p=()=>{this.store.talk.trouble=null,this.store.changed(),this.focus()};#d(){let{draft:e,state:t}=this.store,r=[...e.text].length>(t?.limits.message_chars??Number.POSITIVE_INFINITY);e.text.trim()===""||r||(this.store.send(this.page,this.locale),this.focus())}};var er=q`
  :host {
    display: flex;
    flex-direction: column;
  }
  .top {
    display: flex;
    flex: none;
    gap: 8px;
    padding: 12px 14px 8px;
  }
  input {
    width: 100%;
    min-width: 0;
    min-height: 44px;
    padding: 0 12px;
    background: var(--ground);
    border: 1px solid var(--edge);
    border-radius: 6px;
  }
  input::placeholder {
    color: var(--quiet);
    opacity: 1;
  }
  input:focus-visible {
    outline-offset: 0;
  }
  ul {
    flex: 1;
    margin: 0;
    padding: 0 8px 12px;
    overflow-y: auto;
    overscroll-behavior: contain;
    list-style: none;
  }
  li {
    display: flex;
    align-items: center;
    border-radius: 6px;
  }
  li:hover,
  li:focus-within {
    background: var(--raised);
  }
  li .square:hover:not(:disabled) {
    background: none;
  }
  li[aria-current="true"] {
    background: var(--tint);
  }
  .open {
    display: flex;
    flex: 1;
    align-items: baseline;
    gap: 10px;
    min-width: 0;
    min-height: 44px;
    padding: 10px;
    text-align: start;
  }
  .open bdi {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  time {
    flex: none;
    font-size: 12.5px;
    color: var(--quiet);
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    align-self: center;
    border-radius: 50%;
    background: var(--accent);
  }
  form {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 6px;
    padding: 8px;
  }
  form input {
    flex: 1 1 180px;
    width: auto;
  }
  .none,
  .alarm {
    margin: 12px 22px;
    color: var(--quiet);
  }
  .alarm {
    color: var(--alarm);
  }
  .undo {
    display: flex;
    flex: none;
    align-items: center;
    gap: 8px;
    min-height: 56px;
    padding-block: 6px;
    padding-inline: 18px 8px;
    border-top: 1px solid var(--line);
    background: var(--raised);
  }
  .undo span {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .more {
    justify-content: center;
  }
`;var an=250,ln=200,ct=class extends N{static{this.styles=[re,er]}static{this.properties={store:{attribute:!1},version:{attribute:!1},locale:{attribute:!1},_renaming:{state:!0}}}#e;constructor(){super(),this._renaming=null}connectedCallback(){super.connectedCallback(),this.store.list.load("")}focus(){this.renderRoot.querySelector("input[type=search]")?.focus()}updated(e){e.has("_renaming")&&this._renaming&&this.renderRoot.querySelector("form input")?.select()}render(){let{items:e,query:t,isLoading:r,isLoaded:n,hasMore:s,trouble:o}=this.store.list,l=t?u("list.nothing_found",{query:t}):u("list.none");return b`<div class="top">
        <input type="search" dir="auto" aria-label=${u("list.search")} placeholder=${u("list.search")} @input=${this.#h} />
      </div>
      ${o?b`<p class="alarm" role="alert">${o}</p>`:k}
      ${e.length===0&&n&&!r?b`<p class="none" role="status">${l}</p>`:k}
      <ul>
        ${ve(e,({id:a})=>a,a=>b`<li aria-current=${a.id===this.store.talk.id?"true":k}>
            ${this._renaming===a.id?this.#i(a):this.#t(a)}</li>`)}
        ${s?b`<li class="more"><button type="button" class="word" @click=${()=>this.store.list.more()}>
                ${u("list.more")}</button></li>`:k}
      </ul>
      ${this.#r()}`}#t(e){let t=e.title||u("list.untitled");return b`<button type="button" class="open" @click=${()=>this.#s(e)}>
        ${e.running_turn?b`<span class="dot" role="img" aria-label=${u("list.running")}></span>`:k}
        <bdi>${t}</bdi>
        <time datetime=${e.active_at}>${this.#n(e.active_at)}</time>
      </button>
      <button type="button" class="square" aria-label=${u("list.rename",{title:t})} title=${u("list.rename",{title:t})}
        @click=${()=>this.#a(e.id)}>${Pi()}</button>
      <button type="button" class="square" aria-label=${u("list.delete",{title:t})} title=${u("list.delete",{title:t})}
        @click=${()=>this.#o(e)}>${Li()}</button>`}#i(e){return b`<form @submit=${t=>this.#l(t,e)} @keydown=${this.#c}>
      <input name="title" dir="auto" maxlength=${ln} aria-label=${u("list.rename_field")} .value=${e.title} />
      <button class="main">${u("list.save")}</button>
      <button type="button" class="word" @click=${()=>this.#a(null)}>${u("list.cancel")}</button>
    </form>`}#r(){let{removed:e}=this.store.list;if(!e)return k;let t=e.conversation.title||u("list.untitled");return b`<div class="undo" role="status"><span>${u("list.deleted",{title:t})}</span>
      <button type="button" class="word" @click=${()=>this.store.list.undo()}>
        ${u("list.undo")} <span aria-hidden="true">(${e.secondsLeft})</span></button></div>`}#n(e){let t=new Date(e),n=t.toDateString()===new Date().toDateString()?{hour:"numeric",minute:"2-digit"}:{day:"numeric",month:"short"};try{return t.toLocaleString(this.locale.replace("_","-")||void 0,n)}catch{return t.toLocaleString(void 0,n)}}#s(e){this.store.show(e.id),this.dispatchEvent(new CustomEvent("deskhand-opened"))}async#o(e){await this.store.list.remove(e),this.store.list.removed?.conversation.id===e.id&&this.store.forget(e.id),await this.updateComplete,this.renderRoot.querySelector(".undo button")?.focus()}async#l(e,t){e.preventDefault();let r=String(new FormData(e.target).get("title")??"");this.#a(null),await this.store.list.rename(t,r),this.store.talk.id===t.id&&await this.store.talk.load().catch(()=>{})}#a(e){this._renaming=e,e||this.focus()}#c=e=>{e.key!=="Escape"||e.isComposing||(e.stopPropagation(),this.#a(null))};#h=e=>{let t=e.target.value.trim();clearTimeout(this.#e),this.#e=setTimeout(()=>{this.store.list.load(t)},an)}};var tr=q`
  :host {
    position: relative;
    display: flex;
    flex-direction: column;
  }
  .log {
    flex: 1;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 16px 18px 20px;
  }
  .log:focus-visible {
    outline-offset: -3px;
  }
  .row {
    margin: 0 0 14px;
    overflow-wrap: anywhere;
  }
  .user {
    width: fit-content;
    max-width: 88%;
    margin-inline-start: auto;
    padding: 8px 13px;
    background: var(--tint);
    border-radius: 10px;
    border-end-end-radius: 3px;
    white-space: pre-wrap;
  }
  .activity {
    display: flex;
    gap: 8px;
    align-items: start;
    margin-bottom: 8px;
    font-size: 13.5px;
    color: var(--quiet);
  }
  .activity .icon {
    width: 16px;
    height: 16px;
    margin-top: 2.5px;
  }
  .activity + .assistant {
    margin-top: 14px;
  }
  .notice {
    display: flex;
    gap: 9px;
    padding: 9px 12px;
    background: var(--raised);
    border-radius: 6px;
    font-size: 14px;
  }
  .notice .icon {
    margin-top: 1px;
    color: var(--quiet);
  }
  .ending,
  .under {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-top: 4px;
    font-size: 13.5px;
    color: var(--quiet);
  }
  .under button {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-height: 44px;
    margin-block: -8px;
    margin-inline-start: -8px;
    padding: 0 8px;
    color: var(--quiet);
  }
  .under button:hover {
    color: var(--ink);
  }
  .under .icon {
    width: 16px;
    height: 16px;
  }
  .phase {
    display: flex;
    align-items: center;
    gap: 9px;
    min-height: 24px;
    font-size: 14px;
    color: var(--quiet);
  }
  .dot {
    flex: none;
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--accent);
    animation: breathe 1.4s ease-in-out infinite;
  }
  @keyframes breathe {
    50% {
      opacity: 0.25;
    }
  }
  .empty {
    display: flex;
    flex-direction: column;
    justify-content: center;
    min-height: 100%;
    padding: 0 10px 12%;
    text-align: center;
  }
  .empty h3 {
    margin: 0 0 6px;
    font-size: 17px;
    font-weight: 600;
    text-wrap: balance;
  }
  .empty p {
    margin: 0 auto;
    max-width: 21em;
    color: var(--quiet);
    text-wrap: balance;
  }
  .older {
    display: flex;
    justify-content: center;
    margin: -8px 0 8px;
  }
  .newest {
    position: absolute;
    bottom: 10px;
    left: calc(50% - 22px);
    background: var(--ground);
    border: 1px solid var(--edge);
    border-radius: 50%;
    box-shadow: var(--shade);
  }
`,ir=q`
  .answer > :first-child {
    margin-top: 0;
  }
  .answer > :last-child {
    margin-bottom: 0;
  }
  .answer :is(p, ul, ol, blockquote, .code, .table, hr) {
    margin: 0 0 10px;
  }
  .answer :is(h3, h4, h5) {
    margin: 18px 0 6px;
    font-size: 15px;
    font-weight: 650;
    line-height: 1.35;
  }
  .answer h3 {
    font-size: 16.5px;
  }
  .answer :is(ul, ol) {
    padding-inline-start: 24px;
  }
  .answer li {
    margin: 2px 0;
  }
  .answer li > :is(ul, ol, p) {
    margin: 2px 0;
  }
  .answer li::marker {
    color: var(--quiet);
  }
  .answer blockquote {
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--line);
    color: var(--quiet);
  }
  .answer hr {
    border: 0;
    border-top: 1px solid var(--line);
  }
  .answer a {
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .answer .host {
    font-size: 0.87em;
    color: var(--quiet);
  }
  .answer .long button {
    min-height: 30px;
    padding: 0 8px;
    border-color: var(--edge);
    color: var(--accent);
    font-size: 13.5px;
  }
  .answer code {
    padding: 1px 4px;
    background: var(--raised);
    border-radius: 4px;
    font: 0.9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  }
  .answer .code {
    border: 1px solid var(--line);
    border-radius: 6px;
    overflow: hidden;
  }
  .answer .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-height: 36px;
    padding-inline-start: 12px;
    background: var(--raised);
    border-bottom: 1px solid var(--line);
    font-size: 12.5px;
    color: var(--quiet);
  }
  .answer .bar button {
    min-width: 44px;
    min-height: 44px;
    margin-block: -4px;
    padding: 0 12px;
  }
  .answer .bar button:hover {
    color: var(--ink);
  }
  .answer pre {
    margin: 0;
    padding: 10px 12px;
    overflow-x: auto;
    overflow-wrap: normal;
    tab-size: 4;
  }
  .answer :is(pre, .table):focus-visible,
  .answer .bar button:focus-visible {
    outline-offset: -2px;
  }
  .answer pre code {
    padding: 0;
    background: none;
    font-size: 13px;
  }
  .answer .table {
    overflow-x: auto;
    overflow-wrap: normal;
    border: 1px solid var(--line);
    border-radius: 6px;
  }
  .answer table {
    min-width: 100%;
    border-collapse: collapse;
    font-size: 14px;
    font-variant-numeric: tabular-nums;
  }
  .answer :is(th, td) {
    padding: 7px 12px;
    text-align: start;
    vertical-align: top;
    white-space: nowrap;
  }
  .answer td {
    border-top: 1px solid var(--line);
    white-space: normal;
    min-width: 5em;
  }
  .answer th {
    background: var(--raised);
    font-weight: 600;
  }
  .answer [data-align="right"] {
    text-align: right;
  }
  .answer [data-align="center"] {
    text-align: center;
  }
`;function qt(){return{async:!1,breaks:!1,extensions:null,gfm:!0,hooks:null,pedantic:!1,renderer:null,silent:!1,tokenizer:null,walkTokens:null}}var ge=qt();function ur(i){ge=i}var ue={exec:()=>null};function pe(i){let e=[];return t=>{let r=Math.max(0,Math.min(3,t-1)),n=e[r];return n||(n=i(r),e[r]=n),n}}function y(i,e=""){let t=typeof i=="string"?i:i.source,r={replace:(n,s)=>{let o=typeof s=="string"?s:s.source;return o=o.replace(R.caret,"$1"),t=t.replace(n,o),r},getRegex:()=>new RegExp(t,e)};return r}var fr=((i="")=>{try{return!!new RegExp("(?<=1)(?<!1)"+i)}catch{return!1}})(),R={codeRemoveIndent:/^(?: {0,3}\t| {1,4})/gm,listInterruptsParagraph:/^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/,outputLinkReplace:/\\([\[\]])/g,indentCodeCompensation:/^(\s+)(?:```)/,beginningSpace:/^\s+/,endingHash:/#$/,startingSpaceChar:/^ /,endingSpaceChar:/ $/,endingSpaceTabChar:/[ \t]$/,nonSpaceChar:/[^ ]/,newLineCharGlobal:/\n/g,tabCharGlobal:/\t/g,leadingSpaceTab:/^[ \t]+/,multipleSpaceGlobal:/\s+/g,blankLine:/^[ \t]*$/,doubleBlankLine:/\n[ \t]*\n[ \t]*$/,blockquoteStart:/^ {0,3}>/,blockquoteSetextReplace:/\n {0,3}((?:=+|-+)[ \t]*)(?=\n|$)/g,blockquoteSetextReplace2:/^ {0,3}>[ \t]?/gm,blockquoteMarkerWhitespace:/^( {0,3}>)(\t[ \t]*)/gm,nestedBlockMarker:/^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])(?: |$)|> ?)/,listReplaceNesting:/^ {1,4}(?=( {4})*[^ ])/g,listIsTask:/^\[[ xX]\][ \t]+\S/,listReplaceTask:/^\[[ xX]\][ \t]+/,listTaskCheckbox:/\[[ xX]\]/,anyLine:/\n.*\n/,hrefBrackets:/^<(.*)>$/,tableDelimiter:/[:|]/,tableAlignChars:/^\||\| *$/g,tableRowBlankLine:/\n[ \t]*$/,tableAlignRight:/^ *-+: *$/,tableAlignCenter:/^ *:-+: *$/,tableAlignLeft:/^ *:-+ *$/,startATag:/^<a /i,endATag:/^<\/a>/i,startPreScriptTag:/^<(pre|code|kbd|script)(\s|>)/i,endPreScriptTag:/^<\/(pre|code|kbd|script)(\s|>)/i,startAngleBracket:/^</,endAngleBracket:/>$/,pedanticHrefTitle:/^([^'"]*[^\s])\s+(['"])(.*)\2/,unicodeAlphaNumeric:/[\p{L}\p{N}]/u,numericCharacterReference:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));/,numericCharacterReferenceOrAmpersand:/&#(?:(\d{1,7})|[Xx]([A-Fa-f0-9]{1,6}));|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,escapeTest:/[&<>"']/,escapeReplace:/[&<>"']/g,escapeTestNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/,escapeReplaceNoEncode:/[<>"']|&(?!(#\d{1,7}|#[Xx][a-fA-F0-9]{1,6}|\w+);)/g,caret:/(^|[^\[])\^/g,percentDecode:/%25/g,findPipe:/\|/g,splitPipe:/ \|/,slashPipe:/\\\|/g,carriageReturn:/\r\n|\r/g,spaceLine:/^ +$/gm,notSpaceStart:/^\S*/,endingNewline:/\n$/,listItemRegex:i=>new RegExp(`^( {0,3}${i})((?:[	 ][^\\n]*)?(?:\\n|$))`),nextBulletRegex:pe(i=>new RegExp(`^ {0,${i}}(?:[*+-]|\\d{1,9}[.)])((?:[ 	][^\\n]*)?(?:\\n|$))`)),hrRegex:pe(i=>new RegExp(`^ {0,${i}}((?:-[ 	]*){3,}|(?:_[ 	]*){3,}|(?:\\*[ 	]*){3,})(?:\\n+|$)`)),fencesBeginRegex:pe(i=>new RegExp(`^ {0,${i}}(?:\`\`\`|~~~)`)),headingBeginRegex:pe(i=>new RegExp(`^ {0,${i}}#{1,6}(?:\\s|$)`)),pedanticHeadingBeginRegex:pe(i=>new RegExp(`^ {0,${i}}#`)),htmlBeginRegex:pe(i=>new RegExp(`^ {0,${i}}(?:</?(?:${Dt})(?:[ \\t]+|$|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)`,"i")),blockquoteBeginRegex:pe(i=>new RegExp(`^ {0,${i}}>`)),nestedContainerMarkers:/^(?: {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?))+/},cn=/^(?:[ \t]*(?:\n|$))+/,hn=/^((?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+/,dn=/^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)(?:|([\s\S]*?)(?:\n|$))(?: {0,3}(?:(?=`)\1`*|(?=~)\1~*) *(?=\n|$)|$)/,Oe=/^ {0,3}((?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/,pn=/^ {0,3}(#{1,6})(?=\s|$)(.*)(?:\n+|$)/,Ht=/ {0,3}(?:[*+-]|\d{1,9}[.)])/,Dt="address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul",qe=y(" {0,3}(?:</?(?:tag)(?:[ \\t]+|\\n|/?>)|<(?:(?:script|pre|style|textarea)(?:[\\s>]|$)|!--)|<\\?|<![A-Za-z]|<!\\[CDATA\\[)").replace("tag",Dt).getRegex(),gr=/^(?!bull |blockCode|fences|blockquote|heading|html|table)((?:.|\n(?!\s*?\n|bull |fences|blockquote|heading|hr|html|table))+?)\n {0,3}(=+|-+)[ \t]*(?:\n+|$)/,mr=y(gr).replace(/bull/g,Ht).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/\|table/g,"").replace(/html/g,qe).getRegex(),un=y(gr).replace(/bull/g,Ht).replace(/blockCode/g,/(?: {4}| {0,3}\t)/).replace(/fences/g,/ {0,3}(?:`{3,}|~{3,})/).replace(/blockquote/g,/ {0,3}>/).replace(/heading/g,/ {0,3}#{1,6}(?:\s|$)/).replace(/hr/g,/ {0,3}(?:(?:-[\t ]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})(?:\n+|$)/).replace(/table/g,/ {0,3}\|?(?:[:\- ]*\|)+[\:\- ]*\n/).replace(/html/g,qe).getRegex(),Bt=/^([^\n]+(?:\n(?!hr|heading|lheading|blockquote|fences|list|html|table|[ \t]+\n)[^\n]+)*)/,fn=/^[^\n]+/,Ut=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\\n]|\n(?![ \t]*\n))+/,gn=y(/^ {0,3}\[(label)\]: *(?:\n[ \t]*)?([^<\s][^\s]*|<(?:\\.|[^\n<>\\])*>)(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(title))? *(?:\n+|$)/).replace("label",Ut).replace("title",/(?:"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\\n]|\n(?!\n))*'|\((?:\\[\s\S]|[^()\\])*\))/).getRegex(),mn=y(/^(bull)([ \t][^\n]*?)?(?:\n|$)/).replace(/bull/g,Ht).getRegex(),Wt=/<!--(?:-?>|[\s\S]*?(?:-->|$))/,xn=y("^ {0,3}(?:<(script|pre|style|textarea)[\\s>][\\s\\S]*?(?:</\\1>[^\\n]*\\n*|$)|comment[^\\n]*(\\n+|$)|<\\?[\\s\\S]*?(?:\\?>[^\\n]*\\n*|$)|<![A-Z][\\s\\S]*?(?:>[^\\n]*\\n*|$)|<!\\[CDATA\\[[\\s\\S]*?(?:\\]\\]>[^\\n]*\\n*|$)|</?(tag)(?:[ \\t]+|\\n|/?>|$)[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))([a-z][a-z0-9-]*)(?:attribute)*?[ \\t]*/?>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$)|</[a-z][a-z0-9-]*\\s*>(?=[ \\t]*(?:\\n|$))[\\s\\S]*?(?:(?:\\n[ 	]*)+\\n|$))","i").replace("comment",Wt).replace("tag",Dt).replace("attribute",/[ \t]+[a-zA-Z:_][\w.:-]*(?:[ \t]*=[ \t]*"[^"\n]*"|[ \t]*=[ \t]*'[^'\n]*'|[ \t]*=[ \t]*[^\s"'=<>`]+)?/).getRegex(),xr=i=>y(Bt).replace("hr",Oe).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("|table","").replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list",i).replace("html",qe).getRegex(),bn=xr(/ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t\n]/),kn=xr(/ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t]|\n|$)/),wn=y(/^( {0,3}> ?(?:(?![ \t]*(?:\n|$))(paragraph)|[^\n]*)(?:\n|$))+/).replace("paragraph",kn).getRegex(),jt={blockquote:wn,code:hn,def:gn,fences:dn,heading:pn,hr:Oe,html:xn,lheading:mr,list:mn,newline:cn,paragraph:bn,table:ue,text:fn},rr=y("^ *([^\\n ].*)\\n {0,3}((?:\\| *)?:?-+:? *(?:\\| *:?-+:? *)*(?:\\| *)?)(?:\\n((?:(?! *\\n|hr|heading|blockquote|code|fences|list|html).*(?:\\n|$))*)\\n*|$)").replace("hr",Oe).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("blockquote"," {0,3}>").replace("code","(?: {4}| {0,3}	)[^\\n]").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]").replace("html",qe).getRegex(),yn={...jt,lheading:un,table:rr,paragraph:y(Bt).replace("hr",Oe).replace("heading"," {0,3}#{1,6}(?:\\s|$)").replace("|lheading","").replace("table",rr).replace("blockquote"," {0,3}>").replace("fences"," {0,3}(?:`{3,}(?=[^`\\n]*(?:\\n|$))|~~~)[^\\n]*(?:\\n|$)").replace("list"," {0,3}(?:[*+-]|1[.)])[ \\t]+[^ \\t\\n]").replace("html",qe).getRegex()},vn={...jt,html:y(`^ *(?:comment(?: *\\n|\\s*$)|<(tag)[\\s\\S]+?</\\1>(?: *\\n{2,}|\\s*$)|<tag(?:"[^"]*"|'[^']*'|\\s[^'"/>\\s]*)*?/?>(?: *\\n{2,}|\\s*$))`).replace("comment",Wt).replace(/tag/g,"(?!(?:a|em|strong|small|s|cite|q|dfn|abbr|data|time|code|var|samp|kbd|sub|sup|i|b|u|mark|ruby|rt|rp|bdi|bdo|span|br|wbr|ins|del|img)\\b)\\w+(?!:|[^\\w\\s@]*@)\\b").getRegex(),def:/^ *\[([^\]]+)\]: *<?([^\s>]+)>?(?: +(["(][^\n]+[")]))? *(?:\n+|$)/,heading:/^(#{1,6})(.*)(?:\n+|$)/,fences:ue,lheading:/^(.+?)\n {0,3}(=+|-+) *(?:\n+|$)/,paragraph:y(Bt).replace("hr",Oe).replace("heading",` *#{1,6} *[^
]`).replace("|table","").replace("blockquote"," {0,3}>").replace("|fences","").replace("|list","").replace("|html","").replace("|tag","").replace("lheading",mr).getRegex()},$n=/^\\([!"#$%&'()*+,\-./:;<=>?@\[\]\\^_`{|}~])/,Tn=/^(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/,br=/^( {2,}|\\)\n(?!\s*$)[ \t]*/,_n=/^(`+|[^`])(?:(?= {2,}\n)|[\s\S]*?(?:(?=[\\<!\[`*_]|\b_|$)|[^ ](?= {2,}\n)))/,F=/[\p{P}\p{S}]/u,_e=/[\s\p{P}\p{S}]/u,He=/[^\s\p{P}\p{S}]/u,Sn=y(/^((?![*_])punctSpace)/,"u").replace(/punctSpace/g,_e).getRegex(),An=/[\p{Pi}\p{Ps}"']/u,kr=/(?!~)[\p{P}\p{S}]/u,En=/(?!~)[\s\p{P}\p{S}]/u,Cn=/(?:[^\s\p{P}\p{S}]|~)/u,Rn=y(/link|precode-code|html/,"g").replace("link",/\[(?:[^\[\]`]|(?<a>`+)[^`]+\k<a>(?!`))*?\]\((?:\\[\s\S]|[^\\\(\)]|\((?:\\[\s\S]|[^\\\(\)])*\))*\)/).replace("precode-",fr?"(?<!`)()":"(^^|[^`])").replace("code",/(?<b>`+)[^`]+\k<b>(?!`)/).replace("html",/<(?! )[^<>]*?>/).getRegex(),wr=/^(?:\*+(?:((?!\*)punct)|([^\s*]))?)|^_+(?:((?!_)punct)|([^\s_]))?/,Pn=y(wr,"u").replace(/punct/g,F).getRegex(),Ln=y(wr,"u").replace(/punct/g,kr).getRegex(),Mn=/^(?:\*+(?:((?!\*)(?!openQuote)punct)|([^\s*]))?)|^_+(?:((?!_)(?!openQuote)punct)|([^\s_]))?/,In=y(Mn,"u").replace(/openQuote/g,An).replace(/punct/g,F).getRegex(),yr="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)punctSpace(\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|notPunctSpace(\\*+)(?=notPunctSpace)",zn=y(yr,"gu").replace(/notPunctSpace/g,He).replace(/punctSpace/g,_e).replace(/punct/g,F).getRegex(),Nn=y(yr,"gu").replace(/notPunctSpace/g,Cn).replace(/punctSpace/g,En).replace(/punct/g,kr).getRegex(),On="^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|[^*]+(?=[^*])|(?!\\*)punct(\\*+)(?=[\\s]|$)|notPunctSpace(\\*+)(?!\\*)(?=punctSpace|$)|(?!\\*)[\\s](\\*+)(?=notPunctSpace)|[\\s](\\*+)(?!\\*)(?=punct)|(?!\\*)punct(\\*+)(?!\\*)(?=punct)|(?:(?!\\*)punct|notPunctSpace)(\\*+)(?!\\*)(?=notPunctSpace)",qn=y(On,"gu").replace(/notPunctSpace/g,He).replace(/punctSpace/g,_e).replace(/punct/g,F).getRegex(),Hn=y("^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)punctSpace(_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)","gu").replace(/notPunctSpace/g,He).replace(/punctSpace/g,_e).replace(/punct/g,F).getRegex(),Dn="^[^_*]*?\\*\\*[^_*]*?_[^_*]*?(?=\\*\\*)|[^_]+(?=[^_])|(?!_)punct(_+)(?=[\\s]|$)|notPunctSpace(_+)(?!_)(?=punctSpace|$)|(?!_)[\\s](_+)(?=notPunctSpace)|[\\s](_+)(?!_)(?=punct)|(?!_)punct(_+)(?!_)(?=punct)|(?:(?!_)punct|notPunctSpace)(_+)(?!_)(?=notPunctSpace)",Bn=y(Dn,"gu").replace(/notPunctSpace/g,He).replace(/punctSpace/g,_e).replace(/punct/g,F).getRegex(),Un=y(/^~~?(?:((?!~)punct)|[^\s~])/,"u").replace(/punct/g,F).getRegex(),Wn="^[^~]+(?=[^~])|(?!~)punct(~~?)(?=[\\s]|$)|notPunctSpace(~~?)(?!~)(?=punctSpace|$)|(?!~)punctSpace(~~?)(?=notPunctSpace)|[\\s](~~?)(?!~)(?=punct)|(?!~)punct(~~?)(?!~)(?=punct)|notPunctSpace(~~?)(?=notPunctSpace)",jn=y(Wn,"gu").replace(/notPunctSpace/g,He).replace(/punctSpace/g,_e).replace(/punct/g,F).getRegex(),Fn=y(/\\(punct)/,"gu").replace(/punct/g,F).getRegex(),Zn=y(/(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\(punct)/,"gu").replace(/punct/g,F).getRegex(),Vn=y(/^<(scheme:[^\s\x00-\x1f<>]*|email)>/).replace("scheme",/[a-zA-Z][a-zA-Z0-9+.-]{1,31}/).replace("email",/[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+(@)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+(?![-_])/).getRegex(),Gn=y(Wt).replace("(?:-->|$)","-->").getRegex(),Qn=y("^comment|^</[a-zA-Z][a-zA-Z0-9-]*\\s*>|^<[a-zA-Z][a-zA-Z0-9-]*(?:attribute)*?\\s*/?>|^<\\?[\\s\\S]*?\\?>|^<![a-zA-Z]+\\s[\\s\\S]*?>|^<!\\[CDATA\\[[\\s\\S]*?\\]\\]>").replace("comment",Gn).replace("attribute",/\s+[a-zA-Z:_][\w.:-]*(?:\s*=\s*"[^"]*"|\s*=\s*'[^']*'|\s*=\s*[^\s"'=<>`]+)?/).getRegex(),vr=/\[(?:\\[\s\S]|[^\[\]\\])*\]/,pt=y(/(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\])|[^\[\]\\`])*?/).replace("brackets",vr).getRegex(),Xn=y(/^!?\[(label)\]\([ \t\n]*(href)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)(title))?[ \t\n]*\)/).replace("label",pt).replace("href",/<(?:\\.|[^\n<>\\])*>|(?!<)[^ \t\n\x00-\x1f]+|(?=\))/).replace("title",/"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|\((?:\\[\s\S]|[^)\\])*\)/).getRegex(),Kn=y(/^!?\[(label)\]\[(ref)\]/).replace("label",pt).replace("ref",Ut).getRegex(),Yn=y(/^!?\[(ref)\](?:\[\])?/).replace("ref",Ut).getRegex(),nr=/(?!\s*\])(?:\\[\s\S]|[^\[\]\\]){1,999}/,Jn=y(/(?:[^\[\]\\`]*(?:\[(?:brackets|\\[\s\S]|[^\[\]\\])*\]|\\[\s\S]|`+(?!`)[^`]*?`+(?!`)|``+(?=\]))){0,999}?[^\[\]\\`]*?/).replace("brackets",vr).getRegex(),es=y("reflink|nolink(?!\\()","g").replace("reflink",y(/^!?\[(label)\]\[(ref)\]/).replace("label",Jn).replace("ref",nr).getRegex()).replace("nolink",y(/^!?\[(ref)\](?:\[\])?/).replace("ref",nr).getRegex()).getRegex(),sr=/[hH][tT][tT][pP][sS]?|[fF][tT][pP]/,ts=/[A-Za-z0-9._+-]+@[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/,is=y(/(?:mailto:email|xmpp:email(?:\/[A-Za-z0-9@.]+)?)/).replace(/email/g,ts).getRegex(),Ft={_backpedal:ue,anyPunctuation:Fn,anyPunctuationOutsideCode:Zn,autolink:Vn,blockSkip:Rn,br,code:Tn,del:ue,delLDelim:ue,delRDelim:ue,emStrongLDelim:Pn,emStrongRDelimAst:zn,emStrongRDelimUnd:Hn,escape:$n,link:Xn,nolink:Yn,punctuation:Sn,reflink:Kn,reflinkSearch:es,tag:Qn,text:_n,url:ue},rs={...Ft,emStrongLDelim:In,emStrongRDelimAst:qn,emStrongRDelimUnd:Bn,link:y(/^!?\[(label)\]\((.*?)\)/).replace("label",pt).getRegex(),reflink:y(/^!?\[(label)\]\s*\[([^\]]*)\]/).replace("label",pt).getRegex()},zt={...Ft,emStrongRDelimAst:Nn,emStrongLDelim:Ln,delLDelim:Un,delRDelim:jn,url:y(/^emailProtocol|^((?:protocol):\/\/|www\.)(?:[a-zA-Z0-9\-]+\.?)+[^\s<]*|^email/).replace("emailProtocol",is).replace("protocol",sr).replace("email",/[A-Za-z0-9._+-]+(@)[a-zA-Z0-9-_]+(?:\.[a-zA-Z0-9-_]*[a-zA-Z0-9])+(?![\w-])/).getRegex(),_backpedal:/(?:[^?!.,:;*_'"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'"~)]+(?!$))+/,del:/^(~~?)(?=[^\s~])((?:\\[\s\S]|[^\\])*?(?:\\[\s\S]|[^\s~\\]))\1(?=[^~]|$)/,text:y(/^(?:[^a-zA-Z0-9](?=emailProtocol)|(`+|~+|[^`~])(?:(?=[`~])|(?= {2,}\n)|(?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@)|[\s\S]*?(?:(?=[\\<!\[`*~_]|\b_|protocol:\/\/|wwwStart|$)|[^ ](?= {2,}\n)|[^a-zA-Z0-9](?=emailProtocol)|[^a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-](?=[a-zA-Z0-9.!#$%&'*+\/=?_`{\|}~-]+@))))/).replace("protocol",sr).replace(/emailProtocol/g,/(?:mailto|xmpp):/).replace("wwwStart",fr?"(?<![^\\s*_~(])www\\.":"www\\.").getRegex()},ns={...zt,br:y(br).replace("{2,}","*").getRegex(),text:y(zt.text).replace("\\b_","\\b_| {2,}\\n").replace(/\{2,\}/g,"*").getRegex()},ht={normal:jt,gfm:yn,pedantic:vn},ze={normal:Ft,gfm:zt,breaks:ns,pedantic:rs},ss={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},or=i=>ss[i];function H(i,e){if(e){if(R.escapeTest.test(i))return i.replace(R.escapeReplace,or)}else if(R.escapeTestNoEncode.test(i))return i.replace(R.escapeReplaceNoEncode,or);return i}function os(i){return R.numericCharacterReference.test(i)?i.replace(R.numericCharacterReferenceOrAmpersand,(e,t,r)=>{if(t===void 0&&r===void 0)return"&amp;";let n=t===void 0?Number.parseInt(r,16):Number.parseInt(t,10);return n===0||n>1114111||n>=55296&&n<=57343?"�":n===38?"&amp;":String.fromCodePoint(n)}):i}function ar(i){try{i=encodeURI(i).replace(R.percentDecode,"%")}catch{return null}return i}function lr(i,e){let t=i.replace(R.findPipe,(s,o,l)=>{let a=!1,f=o;for(;--f>=0&&l[f]==="\\";)a=!a;return a?"|":" |"}),r=t.split(R.splitPipe),n=0;if(r[0].trim()||r.shift(),r.length>0&&!r.at(-1)?.trim()&&r.pop(),e)if(r.length>e)r.splice(e);else for(;r.length<e;)r.push("");for(;n<r.length;n++)r[n]=r[n].trim().replace(R.slashPipe,"|");return r}function Q(i,e,t){let r=i.length;if(r===0)return"";let n=0;for(;n<r;){let s=i.charAt(r-n-1);if(s===e&&!t)n++;else if(s!==e&&t)n++;else break}return i.slice(0,r-n)}function cr(i){let e=i.split(`
`),t=e.length-1;for(;t>=0&&R.blankLine.test(e[t]);)t--;return e.length-t<=2?i:e.slice(0,t+1).join(`
`)}function ut(i){return i.trim().replace(R.multipleSpaceGlobal," ").toLowerCase().toUpperCase().toLowerCase()}function hr(i,e){if(i.indexOf(e[0])===-1&&i.indexOf(e[1])===-1)return-1;let t=0;for(let r=0;r<i.length;r++)if(i[r]==="\\")r++;else if(i[r]===e[0])t++;else if(i[r]===e[1]&&(t--,t<0))return r;return t>0?-2:-1}var Te=new WeakMap;function Zt(i){let e={"*":-1,_:-1},t=-1,r=i.length;for(let n=0;n<r;n++){let s=i[n];if(s!=="*"&&s!=="_"&&s!=="~")continue;let o=n===0?`
`:i[n-1],l=n+1;for(;l<r&&i[l]===s;)l++;o!==" "&&o!=="	"&&o!==`
`&&o!=="\r"&&o!=="\f"&&(s==="~"?t=n:e[s]=n),n=l-1}return{maskedSrc:i,lastPossibleEmStrongCloserIndex:e,lastPossibleDelCloserIndex:t}}function as(i,e){let t=Zt(e),r=Te.get(i);r?r.push(t):Te.set(i,[t])}function ls(i){let e=Te.get(i);e&&(e.pop(),e.length===0&&Te.delete(i))}function $r(i,e,t){let r=Te.get(i)?.at(-1);return r&&r.maskedSrc===e?r.lastPossibleEmStrongCloserIndex[t]:Zt(e).lastPossibleEmStrongCloserIndex[t]}function Tr(i,e){let t=Te.get(i)?.at(-1);return t&&t.maskedSrc===e?t.lastPossibleDelCloserIndex:Zt(e).lastPossibleDelCloserIndex}function dt(i,e=0){let t=e,r="";for(let n of i)if(n==="	"){let s=4-t%4;r+=" ".repeat(s),t+=s}else r+=n,t++;return r}function cs(i,e){let t="";for(let r=0;r<i.length;r++){if(i[r]==="`"){let n=e.inline.code.exec(i.slice(r));if(n){t+=n[0],r+=n[0].length-1;continue}}if(i[r]==="\\"&&(i[r+1]==="["||i[r+1]==="]")){t+=i[r+1],r++;continue}t+=i[r]}return t}function dr(i,e,t,r,n){let s=e.href,o=e.title||null,l=cs(i[1],n),a=i[0].charAt(0)==="!",f=r.state.inLink,c=r.state.linkEmitted,d=r.state.inRawBlock;r.state.inLink=!0,r.state.linkEmitted=!1;let h=r.inlineTokens(l),g=r.state.linkEmitted;if(r.state.linkEmitted=c,r.state.inLink=f,!a){if(g){r.state.inRawBlock=d;return}r.state.linkEmitted=!0}return{type:a?"image":"link",raw:t,href:s,title:o,text:l,tokens:h}}function hs(i,e,t){let r=i.match(t.other.indentCodeCompensation);if(r===null)return e;let n=r[1];return e.split(`
`).map(s=>{let o=s.match(t.other.beginningSpace);if(o===null)return s;let[l]=o;return s.slice(Math.min(l.length,n.length))}).join(`
`)}function pr(i,e,t,r){if(!e.includes("<"))return!1;for(let n=0;n<e.length;n++){if(e[n]==="\\"){n++;continue}if(e[n]==="`"){let l=r.inline.code.exec(e.slice(n));if(l){n+=l[0].length-1;continue}}if(e[n]!=="<")continue;let s=i.slice(t+n),o=r.inline.tag.exec(s)||r.inline.autolink.exec(s);if(o){if(o[0].length>e.length-n)return!0;n+=o[0].length-1}}return!1}var X=class{options;rules;lexer;constructor(i){this.options=i||ge}space(i){let e=this.rules.block.newline.exec(i);if(e&&e[0].length>0)return{type:"space",raw:e[0]}}code(i){let e=this.rules.block.code.exec(i);if(e){let t=this.options.pedantic?e[0]:cr(e[0]),r=t.replace(this.rules.other.codeRemoveIndent,"");return{type:"code",raw:t,codeBlockStyle:"indented",text:r}}}fences(i){let e=this.rules.block.fences.exec(i);if(e){let t=e[0],r=hs(t,e[3]||"",this.rules);return e[3]!==void 0&&(r===""||r.endsWith(`
`))&&(r+=`
`),{type:"code",raw:t,lang:e[2]?e[2].trim().replace(this.rules.inline.anyPunctuation,"$1"):e[2],text:r}}}heading(i){let e=this.rules.block.heading.exec(i);if(e){let t=e[2].trim();if(this.rules.other.endingHash.test(t)){let r=Q(t,"#");(this.options.pedantic||!r||this.rules.other.endingSpaceTabChar.test(r))&&(t=r.trim())}return{type:"heading",raw:Q(e[0],`
`),depth:e[1].length,text:t,tokens:this.lexer.inline(t)}}}hr(i){let e=this.rules.block.hr.exec(i);if(e)return{type:"hr",raw:Q(e[0],`
`)}}blockquote(i){let e=this.rules.block.blockquote.exec(i);if(e){let t=Q(e[0],`
`).split(`
`),r="",n="",s=[];for(;t.length>0;){let o=!1,l=[],a;for(a=0;a<t.length;a++)if(this.rules.other.blockquoteStart.test(t[a]))l.push(t[a]),o=!0;else if(!o)l.push(t[a]);else break;t=t.slice(a);let f=l.join(`
`),c=f.replace(this.rules.other.blockquoteMarkerWhitespace,(g,x,v)=>v.startsWith(" ")?x+" "+v.slice(1):x+dt(v,x.length)).replace(this.rules.other.blockquoteSetextReplace,`
    $1`).replace(this.rules.other.blockquoteSetextReplace2,"");r=r?`${r}
${f}`:f,n=n?`${n}
${c}`:c;let d=this.lexer.state.top;if(this.lexer.state.top=!0,this.lexer.blockTokens(c,s,!0),this.lexer.state.top=d,t.length===0)break;let h=s.at(-1);if(h?.type==="code"||h?.type==="heading"||h?.type==="hr"||h?.type==="html"||h?.type==="table")break;if(h?.type==="blockquote"){let g=h,x=t.join(`
`),v=g.raw+`
`+x.replace(this.rules.other.blockquoteSetextReplace2,""),w=this.blockquote(v);s[s.length-1]=w;let _=v.substring(w.raw.length).replace(/^\n/,""),D=_?_.split(`
`).length:0,A=D?t.slice(0,-D):t;if(A.length>0&&(r=`${r}
${A.join(`
`)}`),n=n.substring(0,n.length-g.text.length)+w.text,t=t.slice(A.length),t.length>0&&this.rules.other.blockquoteStart.test(t[0]))continue;break}else if(h?.type==="list"){let g=h,x=g.raw+`
`+t.join(`
`),v=this.list(x);s[s.length-1]=v;let w=v.raw.length>g.raw.length?x.slice(g.raw.length+1,v.raw.length).split(`
`).length:0;if(w>0){let _=t.slice(0,w).join(`
`);r=`${r}
${_}`,n=`${n}
${_}`}if(t=t.slice(w),t.length>0&&!this.rules.other.blockquoteStart.test(t[0]))break;continue}}return{type:"blockquote",raw:r,tokens:s,text:n}}}list(i){let e=this.rules.block.list.exec(i);if(e){if(!this.options.pedantic&&this.lexer.state.lastToken?.type==="text"&&!this.rules.other.listInterruptsParagraph.test(i))return;let t=i,r=()=>t.length-i.length,n=e[1].trim(),s=n.length>1,o={type:"list",raw:"",ordered:s,start:s?+n.slice(0,-1):"",loose:!1,items:[]};n=s?`\\d{1,9}\\${n.slice(-1)}`:`\\${n}`,this.options.pedantic&&(n=s?n:"[*+-]");let l=this.rules.other.listItemRegex(n),a=!1;for(;i;){let d=!1,h="";if(!(e=l.exec(i))||this.rules.block.hr.test(i))break;let g=r();i=i.substring(e[0].length);let x=e[2].split(`
`,1)[0],v=e[1].length,w=this.options.pedantic?dt(x,v):x.replace(this.rules.other.leadingSpaceTab,O=>dt(O,v)),_=i.split(`
`,1)[0],D=!w.trim(),A=0;if(this.options.pedantic?(A=2,h=w.trimStart()):D?A=v+1:(A=w.search(this.rules.other.nonSpaceChar),A=A>4?1:A,h=w.slice(A),A+=v),D&&this.rules.other.blankLine.test(_)&&(i=i.substring(_.length+1),d=!0),!d){let O=this.rules.other.nextBulletRegex(A),J=this.rules.other.hrRegex(A),Z=this.rules.other.fencesBeginRegex(A),j=this.options.pedantic?this.rules.other.pedanticHeadingBeginRegex(A):this.rules.other.headingBeginRegex(A),se=this.rules.other.htmlBeginRegex(A),xe=this.rules.other.blockquoteBeginRegex(A),p=!1;for(;i;){let m=i.split(`
`,1)[0],$;if(_=m,this.options.pedantic?(_=_.replace(this.rules.other.listReplaceNesting,"  "),$=_):$=_.replace(this.rules.other.leadingSpaceTab,T=>dt(T)),Z.test(_)||j.test(_)||se.test(_)||xe.test(_)||O.test(_)||J.test(_))break;if($.search(this.rules.other.nonSpaceChar)>=A||!_.trim())h+=`
`+$.slice(A),p=!1;else{if(D)break;let T=w;if(!this.options.pedantic&&!h.includes(`
`)&&!w.includes("	")){let z;for(;!J.test(T)&&(z=this.rules.other.nestedBlockMarker.exec(T));)T=T.slice(z[0].length);if(!T.trim())break}if(T.replace(this.rules.other.tabCharGlobal,"    ").search(this.rules.other.nonSpaceChar)>=4||Z.test(T)||j.test(T)||se.test(T)||J.test(T))break;if(!this.options.pedantic&&!p){let z=w.replace(this.rules.other.nestedContainerMarkers,"");if(this.rules.block.fences.test(z)||this.rules.block.heading.test(z)||this.rules.block.hr.test(z))break}let S=!this.options.pedantic&&/^ {0,3}(?:=+|-+) *$/.test(_)&&this.rules.block.lheading.test(`${w}
${_}`)?`    ${$.replace(/^ {0,3}/,"")}`:_;h+=`
`+S,p=!0}D=!_.trim(),i=i.substring(m.length+1),w=$.slice(A)}}let Y=t.slice(g,r());o.loose||(a?o.loose=!0:this.rules.other.doubleBlankLine.test(Y)&&(a=!0)),o.items.push({type:"list_item",raw:Y,task:!!this.options.gfm&&this.rules.other.listIsTask.test(h),loose:!1,text:h,tokens:[]})}let f=o.items.at(-1);if(f)f.raw=f.raw.trimEnd(),f.text=f.text.trimEnd();else return;o.raw=t.slice(0,r()).trimEnd();let c=[];for(let d of o.items)if(this.lexer.state.top=!1,c.push(this.lexer.inlineQueue.length),d.tokens=this.lexer.blockTokens(d.text,[]),!o.loose){let h=d.tokens.filter(x=>x.type==="space"),g=h.length>0&&h.some(x=>this.rules.other.anyLine.test(x.raw));o.loose=g}for(let d=0;d<o.items.length;d++){let h=o.items[d],g=h.tokens[0];if(h.task&&(g?.type==="text"||g?.type==="paragraph")){h.text=h.text.replace(this.rules.other.listReplaceTask,""),g.raw=g.raw.replace(this.rules.other.listReplaceTask,""),g.text=g.text.replace(this.rules.other.listReplaceTask,"");let x=this.lexer.inlineQueue;for(let w=c[d];w<x.length;w++)if(x[w].tokens===g.tokens){x[w].src=x[w].src.replace(this.rules.other.listReplaceTask,"");break}let v=this.rules.other.listTaskCheckbox.exec(h.raw);if(v){let w={type:"checkbox",raw:v[0]+" ",checked:v[0]!=="[ ]"};h.checked=w.checked,o.loose?h.tokens[0]&&["paragraph","text"].includes(h.tokens[0].type)&&"tokens"in h.tokens[0]&&h.tokens[0].tokens?(h.tokens[0].raw=w.raw+h.tokens[0].raw,h.tokens[0].text=w.raw+h.tokens[0].text,h.tokens[0].tokens.unshift(w)):h.tokens.unshift({type:"paragraph",raw:w.raw,text:w.raw,tokens:[w]}):h.tokens.unshift(w)}}else h.task&&(h.task=!1)}if(o.loose)for(let d of o.items){d.loose=!0;for(let h of d.tokens)h.type==="text"&&(h.type="paragraph")}return o}}html(i){let e=this.rules.block.html.exec(i);if(e){if(this.lexer.state.lastToken?.type==="paragraph"&&!this.rules.other.htmlBeginRegex(4).test(i))return;let t=cr(e[0]);return{type:"html",block:!0,raw:t,pre:e[1]==="pre"||e[1]==="script"||e[1]==="style",text:t}}}def(i){let e=this.rules.block.def.exec(i);if(e){if(!this.rules.other.startAngleBracket.test(e[2])&&hr(e[2],"()")!==-1)return;let t=ut(e[1]),r=e[2]?e[2].replace(this.rules.other.hrefBrackets,"$1").replace(this.rules.inline.anyPunctuation,"$1"):"",n=e[3]?e[3].substring(1,e[3].length-1).replace(this.rules.inline.anyPunctuation,"$1"):e[3];return{type:"def",tag:t,raw:Q(e[0],`
`),href:r,title:n}}}table(i){let e=this.rules.block.table.exec(i);if(!e||!this.rules.other.tableDelimiter.test(e[2]))return;let t=lr(e[1]),r=e[2].replace(this.rules.other.tableAlignChars,"").split("|"),n=e[3]?.trim()?e[3].replace(this.rules.other.tableRowBlankLine,"").split(`
`):[],s={type:"table",raw:Q(e[0],`
`),header:[],align:[],rows:[]};if(t.length===r.length){for(let o of r)this.rules.other.tableAlignRight.test(o)?s.align.push("right"):this.rules.other.tableAlignCenter.test(o)?s.align.push("center"):this.rules.other.tableAlignLeft.test(o)?s.align.push("left"):s.align.push(null);for(let o=0;o<t.length;o++)s.header.push({text:t[o],tokens:this.lexer.inline(t[o]),header:!0,align:s.align[o]});for(let o of n)s.rows.push(lr(o,s.header.length).map((l,a)=>({text:l,tokens:this.lexer.inline(l),header:!1,align:s.align[a]})));return s}}lheading(i){let e=this.rules.block.lheading.exec(i);if(e){let t=e[1].trim();return{type:"heading",raw:Q(e[0],`
`),depth:e[2].charAt(0)==="="?1:2,text:t,tokens:this.lexer.inline(t)}}}paragraph(i){let e=this.rules.block.paragraph.exec(i);if(e){let t=e[1].charAt(e[1].length-1)===`
`?e[1].slice(0,-1):e[1];return{type:"paragraph",raw:e[0],text:t,tokens:this.lexer.inline(t)}}}text(i){let e=this.rules.block.text.exec(i);if(e)return{type:"text",raw:e[0],text:e[0],tokens:this.lexer.inline(e[0])}}escape(i){if(i.charCodeAt(0)!==92)return;let e=this.rules.inline.escape.exec(i);if(e)return{type:"escape",raw:e[0],text:e[1]}}tag(i){if(i.charCodeAt(0)!==60)return;let e=this.rules.inline.tag.exec(i);if(e)return!this.lexer.state.inLink&&this.rules.other.startATag.test(e[0])?this.lexer.state.inLink=!0:this.lexer.state.inLink&&this.rules.other.endATag.test(e[0])&&(this.lexer.state.inLink=!1),!this.lexer.state.inRawBlock&&this.rules.other.startPreScriptTag.test(e[0])?this.lexer.state.inRawBlock=!0:this.lexer.state.inRawBlock&&this.rules.other.endPreScriptTag.test(e[0])&&(this.lexer.state.inRawBlock=!1),{type:"html",raw:e[0],inLink:this.lexer.state.inLink,inRawBlock:this.lexer.state.inRawBlock,block:!1,text:e[0]}}link(i){if(this.lexer.state.linkParenPossible===!1)return;let e=i.charCodeAt(0);if(e!==91&&e!==33)return;let t=this.rules.inline.link.exec(i);if(t){let r=t[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&pr(i,t[1],r,this.rules))return;let n=t[2].trim();if(!this.options.pedantic&&this.rules.other.startAngleBracket.test(n)){if(!this.rules.other.endAngleBracket.test(n))return;let a=Q(n.slice(0,-1),"\\");if((n.length-a.length)%2===0)return}else{let a=hr(t[2],"()");if(a===-2)return;if(a>-1){let f=(t[0].indexOf("!")===0?5:4)+t[1].length+a;t[2]=t[2].substring(0,a),t[0]=t[0].substring(0,f).trim(),t[3]=""}}let s=Q(t[0].slice(0,-1),"\\");if((t[0].length-s.length)%2===0)return;let o=t[2],l="";if(this.options.pedantic){let a=this.rules.other.pedanticHrefTitle.exec(o);a&&(o=a[1],l=a[3])}else l=t[3]?t[3].slice(1,-1):"";return o=o.trim(),this.rules.other.startAngleBracket.test(o)&&(this.options.pedantic&&!this.rules.other.endAngleBracket.test(n)?o=o.slice(1):o=o.slice(1,-1)),dr(t,{href:o&&o.replace(this.rules.inline.anyPunctuation,"$1"),title:l&&l.replace(this.rules.inline.anyPunctuation,"$1")},t[0],this.lexer,this.rules)}}reflink(i,e){let t=i.charCodeAt(0);if(t!==91&&t!==33)return;let r;if((r=this.rules.inline.reflink.exec(i))||(r=this.rules.inline.nolink.exec(i))){let n=r[0].charAt(0)==="!"?2:1;if(!this.options.pedantic&&pr(i,r[1],n,this.rules))return;let s=e[ut(r[2]||r[1])];if(!s){let o=r[0].charAt(0);return{type:"text",raw:o,text:o}}return dr(r,s,r[0],this.lexer,this.rules)}}emStrong(i,e,t=""){let r=this.rules.inline.emStrongLDelim.exec(i);if(!r||!r[1]&&!r[2]&&!r[3]&&!r[4])return;let n=r[0][0],s=t===n,o=e.length-i.length,l=o;for(;!this.options.pedantic&&l>0&&e[l-1]===n;)l--;let a=[...e.slice(Math.max(0,l-2),l)].at(-1)??"",f=a==="*"||a==="_"||!!this.rules.inline.punctuation.exec(a);l<o&&(t=a);let c=l<o?f:t==="*"||t==="_"||!!this.rules.inline.punctuation.exec(t);if(r[4]&&t.match(this.rules.other.unicodeAlphaNumeric))return;let d=r[1]||r[3]||"";if(!d||!t||c){let h=[...r[0]].length-1,g,x,v=h,w=0,_=o-l+h,D=!this.options.pedantic&&!!a.trim()&&(!!d||n==="*"&&!f);if(n!=="*"&&n!=="_")return;let A=n==="*"?this.rules.inline.emStrongRDelimAst:this.rules.inline.emStrongRDelimUnd,Y=$r(this,e,n),O=e.length-i.length+h;if(Y<O)return;e=e.slice(-1*i.length+h);let J=Y-O;for(A.lastIndex=0;(r=A.exec(e))!==null&&!(r.index>J);){if(g=r[1]||r[2]||r[3]||r[4]||r[5]||r[6],!g)continue;if(x=[...g].length,r[3]||r[4]){v+=x;continue}else if((r[5]||r[6]||D)&&_%3&&!((_+x)%3)){if(s&&(r[5]||r[6]))break;w+=x;continue}if(v-=x,v>0)continue;x=Math.min(x,x+v+w);let Z=[...r[0]][0].length,j=i.slice(0,h+r.index+Z+x);if(Math.min(h,x)%2){let xe=j.slice(1,-1);return{type:"em",raw:j,text:xe,tokens:this.lexer.inlineTokens(xe)}}let se=j.slice(2,-2);return{type:"strong",raw:j,text:se,tokens:this.lexer.inlineTokens(se)}}}}codespan(i){if(i.charCodeAt(0)!==96)return;let e=this.rules.inline.code.exec(i);if(e){let t=e[2].replace(this.rules.other.newLineCharGlobal," "),r=this.rules.other.nonSpaceChar.test(t),n=this.rules.other.startingSpaceChar.test(t)&&this.rules.other.endingSpaceChar.test(t);return r&&n&&(t=t.substring(1,t.length-1)),{type:"codespan",raw:e[0],text:t}}}br(i){let e=i.charCodeAt(0);if(e!==32&&e!==92&&e!==10)return;let t=this.rules.inline.br.exec(i);if(t)return{type:"br",raw:t[0]}}del(i,e,t=""){if(i.charCodeAt(0)!==126)return;let r=this.rules.inline.delLDelim.exec(i);if(r&&(!r[1]||!t||this.rules.inline.punctuation.exec(t))){let n=[...r[0]].length-1,s,o,l=n,a=this.rules.inline.delRDelim,f=Tr(this,e),c=e.length-i.length+n;if(f<c)return;e=e.slice(-1*i.length+n);let d=f-c;for(a.lastIndex=0;(r=a.exec(e))!==null&&!(r.index>d);){if(s=r[1]||r[2]||r[3]||r[4]||r[5]||r[6],!s||(o=[...s].length,o!==n))continue;if(r[3]||r[4]){l+=o;continue}if(l-=o,l>0)continue;o=Math.min(o,o+l);let h=[...r[0]][0].length,g=i.slice(0,n+r.index+h+o),x=g.slice(n,-n);return{type:"del",raw:g,text:x,tokens:this.lexer.inlineTokens(x)}}}}autolink(i){if(i.charCodeAt(0)!==60)return;let e=this.rules.inline.autolink.exec(i);if(e){let t,r;return e[2]==="@"?(t=e[1],r="mailto:"+t):(t=e[1],r=t),{type:"link",raw:e[0],text:t,href:r,autolink:!0,tokens:[{type:"text",raw:t,text:t}]}}}url(i){let e;if(e=this.rules.inline.url.exec(i)){let t,r;if(e[2]==="@")t=e[0],r="mailto:"+t;else{let n;do n=e[0],e[0]=this.rules.inline._backpedal.exec(e[0])?.[0]??"";while(n!==e[0]);t=e[0],e[1]==="www."?r="http://"+e[0]:r=e[0]}return{type:"link",raw:e[0],text:t,href:r,autolink:!0,tokens:[{type:"text",raw:t,text:t}]}}}inlineText(i){let e=this.rules.inline.text.exec(i);if(e){let t=this.lexer.state.inRawBlock;return{type:"text",raw:e[0],text:t?e[0]:os(e[0]),escaped:t}}}},U=class Nt{tokens;options;state;inlineQueue;tokenizer;constructor(e){this.tokens=[],this.tokens.links=Object.create(null),this.options=e||ge,this.options.tokenizer=this.options.tokenizer||new X,this.tokenizer=this.options.tokenizer,this.tokenizer.options=this.options,this.tokenizer.lexer=this,this.inlineQueue=[],this.state={inLink:!1,inRawBlock:!1,linkEmitted:!1,linkParenPossible:!0,top:!0};let t={other:R,block:ht.normal,inline:ze.normal};this.options.pedantic?(t.block=ht.pedantic,t.inline=ze.pedantic):this.options.gfm&&(t.block=ht.gfm,this.options.breaks?t.inline=ze.breaks:t.inline=ze.gfm),this.tokenizer.rules=t}static get rules(){return{block:ht,inline:ze}}static lex(e,t){return new Nt(t).lex(e)}static lexInline(e,t){return new Nt(t).inlineTokens(e)}lex(e){e=e.replace(R.carriageReturn,`
`),this.blockTokens(e,this.tokens);for(let t=0;t<this.inlineQueue.length;t++){let r=this.inlineQueue[t];this.state.inRawBlock=!1,this.inlineTokens(r.src,r.tokens)}return this.inlineQueue=[],this.tokens}blockTokens(e,t=[],r=!1){this.tokenizer.lexer=this;let n=this.state.lastToken;this.options.pedantic&&(e=e.replace(R.tabCharGlobal,"    ").replace(R.spaceLine,""));let s=1/0,o,l=this.options.gfm&&!this.options.pedantic&&this.tokenizer.paragraph===X.prototype.paragraph;for(;e;){if(e.length<s)s=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}this.state.lastToken=t.at(-1);let a;if(this.options.extensions?.block?.some(c=>(a=c.call({lexer:this},e,t))?(e=e.substring(a.raw.length),t.push(a),!0):!1))continue;if(a=this.tokenizer.space(e)){e=e.substring(a.raw.length);let c=t.at(-1);a.raw.length===1&&c!==void 0?c.raw+=`
`:t.push(a);continue}if(a=this.tokenizer.code(e)){e=e.substring(a.raw.length);let c=t.at(-1);c?.type==="paragraph"||c?.type==="text"?(c.raw+=(c.raw.endsWith(`
`)?"":`
`)+a.raw,c.text+=`
`+a.text,this.inlineQueue.at(-1).src=c.text):t.push(a);continue}if(a=this.tokenizer.fences(e)){e=e.substring(a.raw.length),t.push(a);continue}if(a=this.tokenizer.heading(e)){e=e.substring(a.raw.length),t.push(a);continue}if(a=this.tokenizer.hr(e)){e=e.substring(a.raw.length),t.push(a);continue}if(a=this.tokenizer.blockquote(e)){e=e.substring(a.raw.length),t.push(a);continue}if(a=this.tokenizer.list(e)){e=e.substring(a.raw.length),t.push(a);continue}if(a=this.tokenizer.html(e)){e=e.substring(a.raw.length),t.push(a);continue}if(a=this.tokenizer.def(e)){e=e.substring(a.raw.length);let c=t.at(-1);c?.type==="paragraph"||c?.type==="text"?(c.raw+=(c.raw.endsWith(`
`)?"":`
`)+a.raw,c.text+=`
`+a.raw,this.inlineQueue.at(-1).src=c.text):(this.tokens.links[a.tag]||(this.tokens.links[a.tag]={href:a.href,title:a.title}),t.push(a));continue}if(a=this.tokenizer.table(e)){e=e.substring(a.raw.length),t.push(a);continue}if(a=this.tokenizer.lheading(e)){e=e.substring(a.raw.length),t.push(a);continue}let f=e;if(this.options.extensions?.startBlock){let c=1/0,d=e.slice(1),h;this.options.extensions.startBlock.forEach(g=>{h=g.call({lexer:this},d),typeof h=="number"&&h>=0&&(c=Math.min(c,h))}),c<1/0&&c>=0&&(f=e.substring(0,c+1))}if(this.state.top&&(a=this.tokenizer.paragraph(f))){let c=t.at(-1);(r||c===o&&l)&&c?.type==="paragraph"?(c.raw+=(c.raw.endsWith(`
`)?"":`
`)+a.raw,c.text+=`
`+a.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=c.text,o=c):(t.push(a),o=a),r=f.length!==e.length,e=e.substring(a.raw.length);continue}if(a=this.tokenizer.text(e)){e=e.substring(a.raw.length);let c=t.at(-1);c?.type==="text"?(c.raw+=(c.raw.endsWith(`
`)?"":`
`)+a.raw,c.text+=`
`+a.text,this.inlineQueue.pop(),this.inlineQueue.at(-1).src=c.text):t.push(a);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return this.state.top=!0,this.state.lastToken=n,t}inline(e,t=[]){return this.inlineQueue.push({src:e,tokens:t}),t}linkInText(e){if(!e.includes("["))return!1;let t=this.tokenizer.rules.inline.link;for(let r of e.matchAll(this.tokenizer.rules.inline.blockSkip))if(t.test(r[0])&&e.charAt(r.index-1)!=="!")return!0;for(let r of e.matchAll(this.tokenizer.rules.inline.reflinkSearch)){let n=r[0],s=n.lastIndexOf("[");if(!(n.charAt(0)==="!"||!Object.hasOwn(this.tokens.links,ut(n.slice(s+1,-1))))&&!(s>1&&this.linkInText(n.slice(1,s-1))))return!0}return!1}inlineTokens(e,t=[]){this.tokenizer.lexer=this;let r=this.state.linkParenPossible;this.state.linkParenPossible=e.includes(")");try{return this.#e(e,t)}finally{this.state.linkParenPossible=r}}#e(e,t){let r=e.includes("*")||e.includes("_")||e.includes("~"),n=r||this.options.hooks?.emStrongMask||this.tokenizer.emStrong!==X.prototype.emStrong||this.tokenizer.del!==X.prototype.del?this.#r(e):e;if(!r)return this.#t(e,n,t);as(this.tokenizer,n);try{return this.#t(e,n,t)}finally{ls(this.tokenizer)}}#t(e,t,r){let n=!1,s="",o=1/0;for(;e;){if(e.length<o)o=e.length;else{this.infiniteLoopError(e.charCodeAt(0));break}n||(s=""),n=!1;let l;if(this.options.extensions?.inline?.some(c=>(l=c.call({lexer:this},e,r))?(e=e.substring(l.raw.length),r.push(l),!0):!1))continue;if(l=this.tokenizer.escape(e)){e=e.substring(l.raw.length),r.push(l);continue}if(l=this.tokenizer.tag(e)){e=e.substring(l.raw.length),r.push(l);continue}if(l=this.tokenizer.link(e)){e=e.substring(l.raw.length),r.push(l);continue}if(l=this.tokenizer.reflink(e,this.tokens.links)){e=e.substring(l.raw.length);let c=r.at(-1);l.type==="text"&&c?.type==="text"?(c.raw+=l.raw,c.text+=l.text):r.push(l);continue}let a=e[0];if(a==="*"||a==="_"){let c=t.length-e.length;if($r(this.tokenizer,t,a)<=c){let d=1;for(;d<e.length&&e.charCodeAt(d)===a.charCodeAt(0);)d++;let h=e.substring(0,d),g=r.at(-1);g?.type==="text"&&!g.escaped?(g.raw+=h,g.text+=h):r.push({type:"text",raw:h,text:h,escaped:!1}),e=e.substring(d),s=a,n=!0;continue}}else if(a==="~"){let c=t.length-e.length;if(Tr(this.tokenizer,t)<=c){let d=1;for(;d<e.length&&e.charCodeAt(d)===126;)d++;let h=e.substring(0,d),g=r.at(-1);g?.type==="text"&&!g.escaped?(g.raw+=h,g.text+=h):r.push({type:"text",raw:h,text:h,escaped:!1}),e=e.substring(d),s=a,n=!0;continue}}if(l=this.tokenizer.emStrong(e,t,s)){e=e.substring(l.raw.length),r.push(l);continue}if(l=this.tokenizer.codespan(e)){e=e.substring(l.raw.length),r.push(l);continue}if(l=this.tokenizer.br(e)){e=e.substring(l.raw.length),r.push(l);continue}if(l=this.tokenizer.del(e,t,s)){e=e.substring(l.raw.length),r.push(l);continue}if(l=this.tokenizer.autolink(e)){e=e.substring(l.raw.length),r.push(l);continue}if(!this.state.inLink&&(l=this.tokenizer.url(e))){e=e.substring(l.raw.length),r.push(l);continue}let f=e;if(this.options.extensions?.startInline){let c=1/0,d=e.slice(1),h;this.options.extensions.startInline.forEach(g=>{h=g.call({lexer:this},d),typeof h=="number"&&h>=0&&(c=Math.min(c,h))}),c<1/0&&c>=0&&(f=e.substring(0,c+1))}if(l=this.tokenizer.inlineText(f)){e=e.substring(l.raw.length),l.raw.slice(-1)!=="_"&&(s=l.raw.slice(-1)),n=!0;let c=r.at(-1);c?.type==="text"?(c.raw+=l.raw,c.text+=l.text):r.push(l);continue}if(e){this.infiniteLoopError(e.charCodeAt(0));break}}return r}#i(e){let{blockSkip:t,tag:r,autolink:n}=this.tokenizer.rules.inline,s="",o=0,l;for(t.lastIndex=0;l=t.exec(e);){let a=l.index+(l[2]?l[2].length:0),f=l.index+l[0].length;if(e.charAt(a)==="<"){let c=e.slice(a),d=r.exec(c)||n.exec(c);if(!d){t.lastIndex=a+1;continue}f=a+d[0].length,t.lastIndex=f}s+=e.slice(o,a)+"["+"a".repeat(f-a-2)+"]",o=f}return s+e.slice(o)}#r(e){let t=e;if(this.tokens.links&&e.includes("[")){let r=this.tokenizer.rules.inline.reflinkSearch,n=s=>{let o=s.lastIndexOf("[");if(!Object.hasOwn(this.tokens.links,ut(s.slice(o+1,-1))))return s;if(o>1&&s.charAt(0)!=="!"){let l=s.slice(1,o-1);if(this.linkInText(l))return"["+l.replace(r,n)+"]["+"a".repeat(s.length-o-2)+"]"}return"["+"a".repeat(s.length-2)+"]"};t=t.replace(r,n)}return t=t.replace(this.tokenizer.rules.inline.anyPunctuationOutsideCode,(r,n,s)=>s?"+".repeat(r.length):n?n+r.slice(n.length,-n.length).replace(/`/g,"+")+n:r),t=this.#i(t),t=this.options.hooks?.emStrongMask?.call({lexer:this},t)??t,t}infiniteLoopError(e){let t="Infinite loop on byte: "+e;if(this.options.silent)console.error(t);else throw new Error(t)}},ft=class{options;parser;constructor(i){this.options=i||ge}space(i){return""}code({text:i,lang:e,escaped:t}){let r=(e||"").match(R.notSpaceStart)?.[0],n=i?i.replace(R.endingNewline,"")+`
`:"";return r?'<pre><code class="language-'+H(r)+'">'+(t?n:H(n,!0))+`</code></pre>
`:"<pre><code>"+(t?n:H(n,!0))+`</code></pre>
`}blockquote({tokens:i}){return`<blockquote>
${this.parser.parse(i)}</blockquote>
`}html({text:i}){return i}def(i){return""}heading({tokens:i,depth:e}){return`<h${e}>${this.parser.parseInline(i)}</h${e}>
`}hr(i){return`<hr>
`}list(i){let e=i.ordered,t=i.start,r="";for(let o=0;o<i.items.length;o++){let l=i.items[o];r+=this.listitem(l)}let n=e?"ol":"ul",s=e&&t!==1?' start="'+t+'"':"";return"<"+n+s+`>
`+r+"</"+n+`>
`}listitem(i){return`<li>${this.parser.parse(i.tokens)}</li>
`}checkbox({checked:i}){return"<input "+(i?'checked="" ':"")+'disabled="" type="checkbox"> '}paragraph({tokens:i}){return`<p>${this.parser.parseInline(i)}</p>
`}table(i){let e="",t="";for(let n=0;n<i.header.length;n++)t+=this.tablecell(i.header[n]);e+=this.tablerow({text:t});let r="";for(let n=0;n<i.rows.length;n++){let s=i.rows[n];t="";for(let o=0;o<s.length;o++)t+=this.tablecell(s[o]);r+=this.tablerow({text:t})}return r&&(r=`<tbody>${r}</tbody>`),`<table>
<thead>
`+e+`</thead>
`+r+`</table>
`}tablerow({text:i}){return`<tr>
${i}</tr>
`}tablecell(i){let e=this.parser.parseInline(i.tokens),t=i.header?"th":"td";return(i.align?`<${t} align="${i.align}">`:`<${t}>`)+e+`</${t}>
`}strong({tokens:i}){return`<strong>${this.parser.parseInline(i)}</strong>`}em({tokens:i}){return`<em>${this.parser.parseInline(i)}</em>`}codespan({text:i}){return`<code>${H(i,!0)}</code>`}br(i){return"<br>"}del({tokens:i}){return`<del>${this.parser.parseInline(i)}</del>`}link({href:i,title:e,text:t,tokens:r,autolink:n}){let s=n?H(t,!0):this.parser.parseInline(r),o=ar(i);if(o===null)return s;i=H(o,n);let l='<a href="'+i+'"';return e&&(l+=' title="'+H(e)+'"'),l+=">"+s+"</a>",l}image({href:i,title:e,text:t,tokens:r}){r&&(t=this.parser.parseInline(r,this.parser.textRenderer));let n=ar(i);if(n===null)return H(t);i=n;let s=`<img src="${H(i)}" alt="${H(t)}"`;return e&&(s+=` title="${H(e)}"`),s+=">",s}text(i){return"tokens"in i&&i.tokens?this.parser.parseInline(i.tokens):"escaped"in i&&i.escaped?i.text:H(i.text)}},Vt=class{parser;strong({text:i,tokens:e}){return e?this.parser.parseInline(e,this):i}em({text:i,tokens:e}){return e?this.parser.parseInline(e,this):i}codespan({text:i}){return i}del({text:i,tokens:e}){return e?this.parser.parseInline(e,this):i}html({text:i}){return i}text({text:i}){return i}link({text:i,tokens:e}){return e?this.parser.parseInline(e,this):i}image({text:i,tokens:e}){return e?this.parser.parseInline(e,this):i}br(){return`
`}checkbox({raw:i}){return i}},W=class Ot{options;renderer;textRenderer;constructor(e){this.options=e||ge,this.options.renderer=this.options.renderer||new ft,this.renderer=this.options.renderer,this.renderer.options=this.options,this.renderer.parser=this,this.textRenderer=new Vt,this.textRenderer.parser=this}static parse(e,t){return new Ot(t).parse(e)}static parseInline(e,t){return new Ot(t).parseInline(e)}parse(e){this.renderer.parser=this;let t="";for(let r=0;r<e.length;r++){let n=e[r];if(this.options.extensions?.renderers?.[n.type]){let o=n,l=this.options.extensions.renderers[o.type].call({parser:this},o);if(l!==!1||!["space","hr","heading","code","table","blockquote","list","checkbox","html","def","paragraph","text"].includes(o.type)){t+=l===!1?"":l??"";continue}}let s=n;switch(s.type){case"space":{t+=this.renderer.space(s);break}case"hr":{t+=this.renderer.hr(s);break}case"heading":{t+=this.renderer.heading(s);break}case"code":{t+=this.renderer.code(s);break}case"table":{t+=this.renderer.table(s);break}case"blockquote":{t+=this.renderer.blockquote(s);break}case"list":{t+=this.renderer.list(s);break}case"checkbox":{t+=this.renderer.checkbox(s);break}case"html":{t+=this.renderer.html(s);break}case"def":{t+=this.renderer.def(s);break}case"paragraph":{t+=this.renderer.paragraph(s);break}case"text":{t+=this.renderer.text(s);break}default:{let o='Token with "'+s.type+'" type was not found.';if(this.options.silent)return console.error(o),"";throw new Error(o)}}}return t}parseInline(e,t=this.renderer){this.renderer.parser=this;let r="";for(let n=0;n<e.length;n++){let s=e[n];if(this.options.extensions?.renderers?.[s.type]){let l=this.options.extensions.renderers[s.type].call({parser:this},s);if(l!==!1||!["escape","html","link","image","checkbox","strong","em","codespan","br","del","text"].includes(s.type)){r+=l===!1?"":l??"";continue}}let o=s;switch(o.type){case"escape":{r+=t.text(o);break}case"html":{r+=t.html(o);break}case"link":{r+=t.link(o);break}case"image":{r+=t.image(o);break}case"checkbox":{r+=t.checkbox(o);break}case"strong":{r+=t.strong(o);break}case"em":{r+=t.em(o);break}case"codespan":{r+=t.codespan(o);break}case"br":{r+=t.br(o);break}case"del":{r+=t.del(o);break}case"text":{r+=t.text(o);break}default:{let l='Token with "'+o.type+'" type was not found.';if(this.options.silent)return console.error(l),"";throw new Error(l)}}}return r}},Ne=class{options;block;constructor(i){this.options=i||ge}static passThroughHooks=new Set(["preprocess","postprocess","processAllTokens","emStrongMask"]);static passThroughHooksRespectAsync=new Set(["preprocess","postprocess","processAllTokens"]);preprocess(i){return i}postprocess(i){return i}processAllTokens(i){return i}emStrongMask(i){return i}provideLexer(i=this.block){return i?U.lex:U.lexInline}provideParser(i=this.block){return i?W.parse:W.parseInline}};function ne(i,e){if(Array.isArray(e))for(let t=0;t<e.length;t++)i.push(e[t]);else i.push(e)}var Gt=class{defaults=qt();options=this.setOptions;parse=this.parseMarkdown(!0);parseInline=this.parseMarkdown(!1);Parser=W;Renderer=ft;TextRenderer=Vt;Lexer=U;Tokenizer=X;Hooks=Ne;constructor(...i){this.use(...i)}walkTokens(i,e){let t=[];for(let r of i)switch(ne(t,e.call(this,r)),r.type){case"table":{let n=r;for(let s of n.header)ne(t,this.walkTokens(s.tokens,e));for(let s of n.rows)for(let o of s)ne(t,this.walkTokens(o.tokens,e));break}case"list":{let n=r;ne(t,this.walkTokens(n.items,e));break}default:{let n=r;this.defaults.extensions?.childTokens?.[n.type]?this.defaults.extensions.childTokens[n.type].forEach(s=>{let o=n[s].flat(1/0);ne(t,this.walkTokens(o,e))}):n.tokens&&ne(t,this.walkTokens(n.tokens,e))}}return t}use(...i){let e=this.defaults.extensions||{renderers:Object.create(null),childTokens:Object.create(null)};return i.forEach(t=>{let r={...t};if(r.async=this.defaults.async||r.async||!1,t.extensions&&(t.extensions.forEach(n=>{if(!n.name)throw new Error("extension name required");if("renderer"in n){let s=e.renderers[n.name];s?e.renderers[n.name]=function(...o){let l=n.renderer.apply(this,o);return l===!1&&(l=s.apply(this,o)),l}:e.renderers[n.name]=n.renderer}if("tokenizer"in n){if(!n.level||n.level!=="block"&&n.level!=="inline")throw new Error("extension level must be 'block' or 'inline'");let s=e[n.level];s?s.unshift(n.tokenizer):e[n.level]=[n.tokenizer],n.start&&(n.level==="block"?e.startBlock?e.startBlock.push(n.start):e.startBlock=[n.start]:n.level==="inline"&&(e.startInline?e.startInline.push(n.start):e.startInline=[n.start]))}"childTokens"in n&&n.childTokens&&(e.childTokens[n.name]=n.childTokens)}),r.extensions=e),t.renderer){let n=this.defaults.renderer||new ft(this.defaults);for(let s in t.renderer){if(!(s in n))throw new Error(`renderer '${s}' does not exist`);if(["options","parser"].includes(s))continue;let o=s,l=t.renderer[o],a=n[o];n[o]=(...f)=>{let c=l.apply(n,f);return c===!1&&(c=a.apply(n,f)),c===!1?"":c??""}}r.renderer=n}if(t.tokenizer){let n=this.defaults.tokenizer||new X(this.defaults);for(let s in t.tokenizer){if(!(s in n))throw new Error(`tokenizer '${s}' does not exist`);if(["options","rules","lexer"].includes(s))continue;let o=s,l=t.tokenizer[o],a=n[o];n[o]=(...f)=>{let c=l.apply(n,f);return c===!1&&(c=a.apply(n,f)),c}}r.tokenizer=n}if(t.hooks){let n=this.defaults.hooks||new Ne;for(let s in t.hooks){if(!(s in n))throw new Error(`hook '${s}' does not exist`);if(["options","block"].includes(s))continue;let o=s,l=t.hooks[o],a=n[o];Ne.passThroughHooks.has(s)?n[o]=f=>{if(n.options.async&&Ne.passThroughHooksRespectAsync.has(s))return(async()=>{let d=await l.call(n,f);return a.call(n,d)})();let c=l.call(n,f);return a.call(n,c)}:n[o]=(...f)=>{if(n.options.async)return(async()=>{let d=await l.apply(n,f);return d===!1&&(d=await a.apply(n,f)),d})();let c=l.apply(n,f);return c===!1&&(c=a.apply(n,f)),c}}r.hooks=n}if(t.walkTokens){let n=this.defaults.walkTokens,s=t.walkTokens;r.walkTokens=function(o){let l=[];return ne(l,s.call(this,o)),n&&ne(l,n.call(this,o)),l}}this.defaults={...this.defaults,...r}}),this}setOptions(i){return this.defaults={...this.defaults,...i},this}lexer(i,e){return U.lex(i,e??this.defaults)}parser(i,e){return W.parse(i,e??this.defaults)}parseMarkdown(i){return(e,t)=>{let r={...t},n={...this.defaults,...r},s=this.onError(!!n.silent,!!n.async);if(this.defaults.async===!0&&r.async===!1)return s(new Error("marked(): The async option was set to true by an extension. Remove async: false from the parse options object to return a Promise."));if(typeof e>"u"||e===null)return s(new Error("marked(): input parameter is undefined or null"));if(typeof e!="string")return s(new Error("marked(): input parameter is of type "+Object.prototype.toString.call(e)+", string expected"));if(n.hooks&&(n.hooks.options=n,n.hooks.block=i),n.async)return(async()=>{let o=n.hooks?await n.hooks.preprocess(e):e,l=await(n.hooks?await n.hooks.provideLexer(i):i?U.lex:U.lexInline)(o,n),a=n.hooks?await n.hooks.processAllTokens(l):l;n.walkTokens&&await Promise.all(this.walkTokens(a,n.walkTokens));let f=await(n.hooks?await n.hooks.provideParser(i):i?W.parse:W.parseInline)(a,n);return n.hooks?await n.hooks.postprocess(f):f})().catch(s);try{n.hooks&&(e=n.hooks.preprocess(e));let o=(n.hooks?n.hooks.provideLexer(i):i?U.lex:U.lexInline)(e,n);n.hooks&&(o=n.hooks.processAllTokens(o)),n.walkTokens&&this.walkTokens(o,n.walkTokens);let l=(n.hooks?n.hooks.provideParser(i):i?W.parse:W.parseInline)(o,n);return n.hooks&&(l=n.hooks.postprocess(l)),l}catch(o){return s(o)}}}onError(i,e){return t=>{if(t.message+=`
Please report this to https://github.com/markedjs/marked.`,i){let r="<p>An error occurred:</p><pre>"+H(t.message+"",!0)+"</pre>";return e?Promise.resolve(r):r}if(e)return Promise.reject(t);throw t}}},fe=new Gt;function E(i,e){return fe.parse(i,e)}E.options=E.setOptions=function(i){return fe.setOptions(i),E.defaults=fe.defaults,ur(E.defaults),E};E.getDefaults=qt;E.defaults=ge;function ds(...i){return fe.use(...i),E.defaults=fe.defaults,ur(E.defaults),E}E.use=ds;E.walkTokens=function(i,e){return fe.walkTokens(i,e)};E.parseInline=fe.parseInline;E.Parser=W;E.parser=W.parse;E.Renderer=ft;E.TextRenderer=Vt;E.Lexer=U;E.lexer=U.lex;E.Tokenizer=X;E.Hooks=Ne;E.parse=E;var fa=E.options,ga=E.setOptions,ma=E.walkTokens,xa=E.parseInline;var ba=W.parse,ka=U.lex;var Qt=class extends X{html(){}tag(e){let t=/^<br ?\/?>/i.exec(e);return t?{type:"br",raw:t[0]}:void 0}escape(e){return e.startsWith("\\\\")?void 0:super.escape(e)}del(e,t,r=""){return e.startsWith("~~")?super.del(e,t,r):void 0}emStrong(e,t,r=""){if(!(e.startsWith("*")&&!e.startsWith("**")&&/[\p{L}\p{N}]/u.test(r))&&!(e.startsWith("**")&&/\p{N}/u.test(r)))return super.emStrong(e,t,r)}},ps=new Gt({gfm:!0,breaks:!0,tokenizer:new Qt});function _r(i){return ps.lexer(i)}var us={amp:"&",lt:"<",gt:">",quot:'"',apos:"'",nbsp:" ",shy:"­",copy:"©",reg:"®",trade:"™",euro:"€",pound:"£",yen:"¥",cent:"¢",sect:"§",deg:"°",plusmn:"±",times:"×",divide:"÷",middot:"·",bull:"•",hellip:"…",ndash:"–",mdash:"—",laquo:"«",raquo:"»",lsquo:"‘",rsquo:"’",ldquo:"“",rdquo:"”",bdquo:"„",larr:"←",rarr:"→",le:"≤",ge:"≥",ne:"≠"};function me(i){return i.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,(e,t,r,n)=>{if(n)return us[n]??e;let s=t?Number(t):Number.parseInt(r,16);return s>0&&s<=1114111&&(s<55296||s>57343)?String.fromCodePoint(s):"�"})}function gt(i,e=location){if(i===""||/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(i))return null;if(i.startsWith("/"))return i.startsWith("//")?null:fs(i,e);if(!/^(https?:\/\/|mailto:)/i.test(i))return null;let t;try{t=new URL(i)}catch{return null}if(t.protocol==="mailto:")return gs(t);if(t.username||t.password||!t.host)return null;let r=t.pathname.length+t.search.length+t.hash.length,n=t.origin===e.origin;return{href:t.href,host:n?"":t.host,carriedChars:r,isPlain:n||r<=200}}function fs(i,e){let t=new URL(i,e.origin);return t.origin!==e.origin?null:{href:t.pathname+t.search+t.hash,host:"",carriedChars:0,isPlain:!0}}function gs(i){let e=i.pathname;return/^[^@,;%]+@[^@,;%]+$/.test(e)?{href:i.href,host:e,carriedChars:i.search.length,isPlain:i.search.length===0}:null}function mt(i){switch(i.type){case"paragraph":return[C("p",K(i.tokens??[]),"auto")];case"heading":return[ms(i)];case"code":return[ws(i)];case"blockquote":return[C("blockquote",(i.tokens??[]).flatMap(mt),"auto")];case"list":return[xs(i)];case"table":return[ks(i)];case"hr":return[C("hr",[])];case"text":return[C("p",i.tokens?K(i.tokens):[Pr(i.text)],"auto")];case"space":case"def":return[];default:return[C("p",[document.createTextNode(i.raw)],"auto")]}}function K(i){return i.flatMap(Sr)}function Sr(i){switch(i.type){case"text":return i.tokens?K(i.tokens):[Pr(i.text)];case"escape":return[document.createTextNode(i.text)];case"strong":case"em":case"del":return[C(i.type,K(i.tokens??[]))];case"codespan":return[C("code",[document.createTextNode(i.text)])];case"br":return[C("br",[])];case"link":return ys(i);case"image":return Ts(i);case"checkbox":return[document.createTextNode(i.checked?"☑ ":"☐ ")];default:return[document.createTextNode(i.raw)]}}function ms(i){return C(["h3","h4","h5"][Math.min(i.depth,3)-1]??"h5",K(i.tokens),"auto")}function xs(i){let e=i.items.map(r=>{let n=r.tokens.flatMap(s=>s.type==="text"&&!r.loose?K(s.tokens??[s]):bs(s));return C("li",n,"auto")}),t=C(i.ordered?"ol":"ul",e,Mr(i.raw));return t instanceof HTMLOListElement&&typeof i.start=="number"&&i.start!==1&&(t.start=i.start),t}function bs(i){return i.type==="checkbox"?Sr(i):mt(i)}function ks(i){let e=(n,s)=>C("tr",n.map(o=>{let l=C(s,K(o.tokens),"auto");return o.align&&(l.dataset.align=o.align),l})),t=C("table",[C("thead",[e(i.header,"th")]),C("tbody",i.rows.map(n=>e(n,"td")))],Mr(i.raw)),r=C("div",[t]);return r.className="table",r.tabIndex=0,r}function ws(i){let e=/^[\w+#.-]{1,20}/.exec(i.lang??"")?.[0]??"",t=Lr(u("code.copy"),async()=>{await navigator.clipboard.writeText(i.text),t.textContent=u("code.copied")}),r=C("div",[C("span",[document.createTextNode(e)]),t]);r.className="bar";let n=C("pre",[C("code",[document.createTextNode(i.text)])],"ltr");n.tabIndex=0;let s=C("div",[r,n]);return s.className="code",s}function ys(i){let e=i.autolink?i.href:me(i.href),t=gt(e);if(!t)return[...vs(i,e)];let r=K(i.tokens);return t.isPlain?Er(t,r,i.text):[Rr(t,r)]}function vs(i,e){let t=K(i.tokens);return i.text===i.href?t:[...t,document.createTextNode(` (${e})`)]}function Ar(i,e){let t=C("a",e);return t.href=i.href,t.target="_blank",t.rel="noreferrer noopener",t.title=i.href,t}function Er(i,e,t){let r=Ar(i,e);return i.host===""||me(t).replace(/^mailto:/i,"")===i.host||$s(t,i)?[r]:[r,Cr(i.host)]}function $s(i,e){return gt(me(i))?.href===e.href}function Cr(i){let e=C("bdi",[document.createTextNode(` (${i})`)]);return e.className="host",e}function Rr(i,e){let t=C("span",[...e,Cr(i.host),document.createTextNode(" ")]);t.className="long";let r=Lr(u("link.show"),()=>{let n=C("code",[document.createTextNode(i.href)]),s=Ar(i,[document.createTextNode(u("link.open"))]);r.replaceWith(n,document.createTextNode(" "),s),s.focus()});return r.title=ie("link.long",i.carriedChars),t.append(r),t}function Ts(i){let e=me(i.href),t=`${u("link.picture")}: ${me(i.text)||e.slice(0,80)}`,r=gt(e);if(!r)return[document.createTextNode(t)];let n=[document.createTextNode(t)];return r.isPlain?Er(r,n,""):[Rr(r,n)]}function Pr(i){return document.createTextNode(me(i))}function C(i,e,t=""){let r=document.createElement(i);return t&&(r.dir=t),r.append(...e),r}function Lr(i,e){let t=C("button",[document.createTextNode(i)]);return t.type="button",t.addEventListener("click",e),t}function Mr(i){let e=/\p{L}/u.exec(i)?.[0]??"";return/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(e)?"rtl":"ltr"}var xt=class{#e;#t=[];#i="";constructor(e){this.#e=e}show(e){let t=_r(e),r=JSON.stringify(t.links);r!==this.#i&&this.#r(0),this.#i=r;let n=0;for(;n<this.#t.length&&this.#t[n]?.raw===t[n]?.raw;)n+=1;this.#r(n);for(let s of t.slice(n)){let o=mt(s);this.#e.append(...o),this.#t.push({raw:s.raw,nodes:o})}}#r(e){for(let{nodes:t}of this.#t.splice(e))for(let r of t)r.remove()}};var Xt=class extends ee{#e;#t="";constructor(e){if(super(e),e.type!==B.ELEMENT)throw new TypeError("answer() stands in an element's tag")}render(e){return L}update(e,[t]){return this.#e??=new xt(e.element),t!==this.#t&&this.#e.show(t),this.#t=t,L}},Kt=we(Xt);function Ir(i,e,t){switch(i.role){case"user":return b`<div class="row user" dir="auto"><span class="unseen">${u("log.you")}: </span>${i.content}</div>`;case"tool":return i.tool?zr({...i.tool,call:0}):k;case"notice":return b`<div class="row notice">${Pt()}<span dir="auto">${i.content}</span></div>`;case"assistant":return i.content.trim()||i.ending==="stopped"?_s(i,e,t):k}}function _s(i,e,t){let r=i.calls.length===0&&i.content.trim()!=="";return b`<div class="row assistant">
    <span class="unseen">${u("log.assistant")}: </span>
    <div class="answer" ${Kt(i.content)}></div>
    ${i.ending==="stopped"?b`<div class="ending">${u("log.stopped")}</div>`:k}
    ${i.ending==="incomplete"?b`<div class="ending">${u("log.incomplete")}</div>`:k}
    ${r?b`<div class="under"><button type="button" class="copy" @click=${()=>t(i)}>
            ${e===i.seq?Ii():Ni()}
            <span>${u(e===i.seq?"log.copied":"log.copy")}</span>
          </button></div>`:k}
  </div>`}var Ss={running:"tool.running",ok:"tool.ok",needs_confirmation:"tool.needs_confirmation",denied:"tool.unavailable",unknown:"tool.unavailable",invalid:"tool.invalid",timeout:"tool.timeout",stopped:"tool.stopped",truncated:"tool.truncated",duplicate:"tool.duplicate"};function zr({title:i,outcome:e,summary:t}){let r=u(Ss[e]??"tool.error",{title:i}),n=e==="running",s=n?b`<span class="dot"></span>`:e==="ok"?Mi():Pt();return b`<div class="row activity" data-outcome=${e}>
    ${s}<span dir="auto">${t&&!n?`${r} – ${t}`:n?`${r}…`:r}</span>
  </div>`}function Nr(i){return b`${i.activities.map(zr)}
    ${i.text?b`<div class="row assistant"><div class="answer" ${Kt(i.text)}></div></div>`:k}
    ${i.phase==="looking"?k:b`<div class="row phase"><span class="dot"></span>${As(i)}</div>`}`}function As(i){return i.isStopping?u("write.stopping"):i.phase==="waiting"?ie("turn.waiting",Math.ceil(i.waitSeconds)):i.phase==="writing"?u("turn.writing"):u(i.phase==="starting"?"turn.starting":"turn.thinking")}var Es=48,Cs=2e3,bt=class extends N{static{this.styles=[re,tr,ir]}static{this.properties={talk:{attribute:!1},version:{attribute:!1},_isAway:{state:!0},_copied:{state:!0}}}#e=0;#t=0;constructor(){super(),this._isAway=!1,this._copied=0}willUpdate(e){e.has("talk")&&(this._isAway=!1);let t=this.#r;this.#e=t?.scrollHeight??0;let r=this.talk.messages[0]?.seq??0;t&&!e.has("talk")&&this.#t>0&&r<this.#t&&this.#o(t),this.#t=r}updated(){this._isAway||this.#s()}render(){let{messages:e,turn:t,hasOlder:r,isLoading:n}=this.talk,s=e.length===0&&!t&&!n;return b`<div class="log" role="log" aria-live="off" aria-label=${u("log.name")} tabindex="0" @scroll=${this.#n}>
        ${n?b`<div class="row phase"><span class="dot"></span>${u("log.loading")}</div>`:k}
        ${s?this.#i():k}
        ${r?b`<div class="older"><button type="button" class="word" @click=${()=>this.talk.loadOlder()}>
                ${u("log.older")}</button></div>`:k}
        ${ve(e,({seq:o})=>o,o=>Ir(o,this._copied,this.#l))}
        ${t?Nr(t):k}
      </div>
      ${this._isAway?b`<button type="button" class="square newest" aria-label=${u("log.newest")} title=${u("log.newest")}
              @click=${this.#s}>${zi()}</button>`:k}`}#i(){return b`<div class="empty"><h3>${u("empty.heading")}</h3><p>${u("empty.text")}</p></div>`}get#r(){return this.renderRoot.querySelector(".log")}#n=()=>{let e=this.#r;e&&(this._isAway=e.scrollHeight-e.scrollTop-e.clientHeight>Es)};#s=()=>{let e=this.#r;e&&(e.scrollTop=e.scrollHeight)};#o(e){let{scrollTop:t}=e,r=this.#e;this._isAway=!0,this.updateComplete.then(()=>{e.scrollTop=t+e.scrollHeight-r})}#l=async e=>{try{await navigator.clipboard.writeText(e.content)}catch{this.talk.trouble={message:u("log.copy_failed")},this.dispatchEvent(new CustomEvent("deskhand-changed",{bubbles:!0,composed:!0}));return}this._copied=e.seq,setTimeout(()=>{this._copied=0},Cs)}};for(let[i,e]of[["deskhand-composer",lt],["deskhand-conversations",ct],["deskhand-transcript",bt]])customElements.get(i)||customElements.define(i,e);var kt=class extends N{static{this.styles=[Vi,Zi,re]}static{this.properties={_version:{state:!0},_isOpen:{state:!0},_isWide:{state:!0},_isListing:{state:!0}}}#e=null;#t=()=>{};constructor(){super(),this._version=0,this._isOpen=!1,this._isWide=!1,this._isListing=!1}connectedCallback(){super.connectedCallback();let e=new at(this.dataset.api??"/assistant/api/",this.#c);this.#e=e,this._isOpen=e.memory.isOpen,this._isWide=e.memory.isWide,this.#t=Xi(this.#h),this.addEventListener("deskhand-changed",this.#c),this.#h(),this._isOpen&&e.begin()}disconnectedCallback(){super.disconnectedCallback(),this.#t(),this.removeEventListener("deskhand-changed",this.#c),this.#e?.close(),this.#e=null}render(){let e=this.#e;return e?b`<div dir=${Qi(this.#i)}>
      ${this._isOpen?this.#n(e):this.#r()}
    </div>`:k}get#i(){return this.dataset.locale??""}#r(){return b`<button type="button" class="launcher" aria-label=${u("panel.open")} title=${u("panel.open")} aria-expanded="false"
      @click=${this.#p}>${$i()}</button>`}#n(e){return b`<aside aria-label=${u("panel.name")} class=${this._isWide?"wide":""} @keydown=${this.#b}>
      ${this.#s(e)}
      <div class="body">
        ${this._isListing?this.#l(e):this.#a(e)}
      </div>
      <div class="unseen" aria-live="polite" aria-relevant="additions">
        ${ve(e.announcements,({id:t})=>t,({text:t})=>b`<p dir="auto">${t}</p>`)}
      </div>
    </aside>`}#s(e){let t=this._isListing?u("list.open"):e.talk.title||u("panel.name");return b`<header>
      ${this.#o(this._isListing?"list.back":"list.open",this._isListing?Si():Ti(),this.#m)}
      <h2 dir="auto" title=${t}>${t}</h2>
      ${this.#o("list.new",_i(),this.#x)}
      ${this.#o(this._isWide?"panel.narrower":"panel.wider",this._isWide?Ei():Ai(),this.#f,"widths")}
      ${this.#o("panel.close",Ke(),this.#d)}
    </header>`}#o(e,t,r,n=""){return b`<button type="button" class="square ${n}" aria-label=${u(e)} title=${u(e)} @click=${r}>${t}</button>`}#l(e){return b`<deskhand-conversations .store=${e} .version=${this._version} .locale=${this.#i}
      @deskhand-opened=${this.#m}></deskhand-conversations>`}#a(e){return e.trouble?b`<div class="alarm" role="alert"><p>${e.trouble}</p>
        <button type="button" class="word" @click=${()=>e.begin()}>${u("net.retry")}</button></div>`:b`<deskhand-transcript .talk=${e.talk} .version=${this._version}></deskhand-transcript>
      <deskhand-composer .store=${e} .version=${this._version} .locale=${this.#i}
        .page=${this.dataset.page??location.pathname}></deskhand-composer>`}#c=()=>{this._version+=1};#h=()=>{this.setAttribute("theme",Gi()),this.requestUpdate()};#p=async()=>{this.#u(!0),this.#e?.begin(),await this.updateComplete,this.#g()};#d=async()=>{this.#u(!1),await this.updateComplete,this.renderRoot.querySelector(".launcher")?.focus()};#u(e){this._isOpen=e,this.#e&&(this.#e.memory.isOpen=e)}#f=()=>{this._isWide=!this._isWide,this.#e&&(this.#e.memory.isWide=this._isWide)};#m=async()=>{this._isListing=!this._isListing,await this.updateComplete,this._isListing?this.renderRoot.querySelector("deskhand-conversations")?.focus():this.#g()};#x=async()=>{this._isListing=!1,await this.#e?.show(null),await this.updateComplete,this.#g()};#g(){let e=this.renderRoot.querySelector("deskhand-composer");e?.updateComplete.then(()=>e.focus())}#b=e=>{e.key!=="Escape"||e.isComposing||e.defaultPrevented||(e.stopPropagation(),this.#d())}};customElements.get("deskhand-panel")||customElements.define("deskhand-panel",kt);
