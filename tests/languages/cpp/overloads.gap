Function templates with the same parameters that only their template heads tell apart are several functions ([temp.over.link]); here they are one symbol.
template <typename T, ENABLE_IF(is_signed<T>::value)>
bool Below(T value) { return value < 0; }  //@ def function Below params=1 spans=1
template <typename T, ENABLE_IF(!is_signed<T>::value)>
bool Below(T value) { return false; }  //@ def function Below params=1 spans=1
